"""Whatever was done in whatever order: an undo brings back every column, or refuses and changes
nothing.
"""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from mnemo.enums import Verdict
from mnemo.errors import MnemoError
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store.migrations import SCHEMA_VERSION
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.past.conftest import Ticking
from tests.store.scratch import sql_on, table

TEXTS = (
    "用户喜欢在晚上用深色主题写代码",
    "用户喜欢在晚上用深色主题写代码呢",
    "the user prefers pytest for tests",
    "the user prefers pytest for all tests",
    "deploys happen on Fridays",
)
RECALLED = ("retrieval_count", "discounted", "last_retrieved_at")
Rows = dict[int, dict[str, Any]]


class UndoMachine(RuleBasedStateMachine):
    """A memory, and what the facts were before each operation that may be undone."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        database = Path(self.folder.name) / "facts.db"
        self.memory = Memory(
            Settings(home=Path(self.folder.name), database=database), clock=Ticking()
        )
        assert self.memory.status().schema_version == SCHEMA_VERSION
        self.sql = sql_on(database)
        self.undoable: list[tuple[Rows, Rows]] = []
        self.redoable: list[tuple[Rows, Rows]] = []

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()

    def rows(self) -> Rows:
        return {row["fact_id"]: row for row in table(self.sql, "facts")}

    def some_id(self, data: st.DataObject) -> int:
        return data.draw(st.integers(1, max(1, len(self.rows()))))

    def do(self, call: Any) -> None:
        """Make a call that is one operation, or none where it changes nothing."""
        before, newest = self.rows(), self.newest_with_changes()
        try:
            call()
        except MnemoError:
            assert self.rows() == before
        if self.newest_with_changes() != newest:
            self.undoable.append((before, self.rows()))
            # What is redone after this is older, and no longer the newest to undo.
            self.redoable.clear()

    def newest_with_changes(self) -> int:
        return self.sql("SELECT coalesce(max(op_id), 0) FROM changes")[0][0]

    @initialize()
    def begin_with_facts(self) -> None:
        self.do(lambda: self.memory.add(*map(NewFact, TEXTS[2:])))

    @rule(texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3))
    def add(self, texts: list[str]) -> None:
        self.do(lambda: self.memory.add(*map(NewFact, texts)))

    @rule(
        data=st.data(),
        edit=st.sampled_from(
            (
                Edit(content=TEXTS[4]),
                Edit(summary="short", tags="a,b"),
                Edit(trust_delta=0.1),
                Edit(category="workflow", date="2026-01-02"),
                Edit(clear=("summary", "tags", "date")),
            )
        ),
    )
    def update(self, data: st.DataObject, edit: Edit) -> None:
        self.do(lambda: self.memory.update(self.some_id(data), edit))

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        self.do(lambda: self.memory.remove(self.some_id(data)))

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        self.do(lambda: self.memory.restore(self.some_id(data)))

    @rule(data=st.data())
    def remove_and_restore(self, data: st.DataObject) -> None:
        fact_id = self.some_id(data)
        before = self.rows()
        if before.get(fact_id, {}).get("status") != "active":
            return
        self.do(lambda: self.memory.remove(fact_id))
        self.do(lambda: self.memory.restore(fact_id))
        after = self.rows()
        for rows in (before, after):
            rows[fact_id] = rows[fact_id] | {"updated_at": ""}
        assert after == before

    @rule(data=st.data(), verdict=st.sampled_from(Verdict))
    def rate(self, data: st.DataObject, verdict: Verdict) -> None:
        self.do(lambda: self.memory.feedback(verdict, self.some_id(data)))

    @rule(query=st.sampled_from(("pytest", "深色主题", "Fridays")))
    def search(self, query: str) -> None:
        self.memory.search(query)

    @rule(data=st.data())
    def much_use(self, data: st.DataObject) -> None:
        """Enough recalls for learning to see something, counted as recalls count."""
        self.sql(
            "UPDATE facts SET retrieval_count = retrieval_count + 40 WHERE fact_id = ?",
            self.some_id(data),
        )

    @rule()
    def learn(self) -> None:
        self.do(self.memory.learn)

    @rule()
    def dream(self) -> None:
        self.do(self.memory.dream)

    @precondition(lambda self: self.undoable)
    @rule()
    def undo(self) -> None:
        self.take_one_back()

    @precondition(lambda self: self.undoable)
    @rule(steps=st.integers(2, 4))
    def undo_more(self, steps: int) -> None:
        for _ in range(min(steps, len(self.undoable))):
            self.take_one_back()

    def take_one_back(self) -> None:
        before, after = self.undoable[-1]
        if self.takes_back(self.memory.undo, expected=before, since=after):
            self.redoable.append(self.undoable.pop())

    @precondition(lambda self: self.redoable)
    @rule()
    def redo(self) -> None:
        before, after = self.redoable[-1]
        if self.takes_back(self.memory.redo, expected=after, since=before):
            self.undoable.append(self.redoable.pop())

    def takes_back(self, call: Any, *, expected: Rows, since: Rows) -> bool:
        """Whether it was taken back: then every column is as expected, but for recalls since."""
        now = self.rows()
        try:
            touched = set(call().facts)
        except MnemoError:
            assert self.rows() == now
            return False
        result = self.rows()
        for fact_id, row in result.items():
            if fact_id not in touched:
                assert row == now[fact_id]
            elif fact_id not in expected:
                assert row == now[fact_id] | {"status": "removed"}
            else:
                for name, value in row.items():
                    recalled = fact_id not in since or now[fact_id][name] != since[fact_id][name]
                    if name in RECALLED and recalled:
                        continue
                    assert value == expected[fact_id][name], name
        return True

    @rule(data=st.data())
    def foreign_write(self, data: st.DataObject) -> None:
        """Another program changes a fact: what was done to it before can no longer be undone."""
        fact_id = self.some_id(data)
        self.sql("UPDATE facts SET source_ref = source_ref || '!' WHERE fact_id = ?", fact_id)

    @rule(data=st.data())
    def undo_in_part(self, data: st.DataObject) -> None:
        """Any operation: facts that changed since stay, and nothing that was done is forgotten."""
        newest = self.sql("SELECT coalesce(max(op_id), 0) FROM operations")[0][0]
        if not newest:
            return
        now = self.rows()
        try:
            reply = self.memory.undo(f"op-{data.draw(st.integers(1, newest))}", partial=True)
        except MnemoError:
            assert self.rows() == now
            return
        result = self.rows()
        for fact in reply.blocked:
            assert result[fact.fact_id] == now[fact.fact_id]
        # Which operation is the newest to undo is no longer what the lists above say.
        self.undoable.clear()
        self.redoable.clear()

    @invariant()
    def what_is_undone_is_consistent(self) -> None:
        assert not self.sql(
            "SELECT 1 FROM operations AS o WHERE undone_by IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM operations AS u WHERE u.op_id = o.undone_by AND u.undoes = o.op_id "
            "AND u.undone_by IS NULL)"
        )

    @invariant()
    def the_index_holds_what_can_be_found(self) -> None:
        indexed = self.sql(
            "SELECT fact_id FROM fact_tokens WHERE fact_id NOT IN (SELECT fact_id FROM dirty)"
        )
        assert indexed == self.sql(
            "SELECT fact_id FROM facts WHERE status IN ('active', 'archived', 'superseded') "
            "AND fact_id NOT IN (SELECT fact_id FROM dirty) ORDER BY fact_id"
        )


TestUndo = UndoMachine.TestCase
TestUndo.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
