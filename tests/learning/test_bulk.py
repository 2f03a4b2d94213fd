"""Many facts judged in one statement: what the rules say of each, and never of old news."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo.enums import Actor, Op
from mnemo.learning.cycle import run_learning
from mnemo.learning.rules import KNOBS, judge
from mnemo.learning.stored import bulk_rule, use_of
from mnemo.models import LearnReply
from mnemo.store import Operation, Store
from tests.store.scratch import NOW, Sql, fill, sql_on, table

Remember = Callable[..., list[int]]
Learn = Callable[..., LearnReply]

LONG_AGO = "2026-03-01 12:00:00"
LOVED = {"content": "loved", "retrieval_count": 50, "helpful_count": 20}
IGNORED = {"content": "ignored", "retrieval_count": 100, "helpful_count": 2}
FORGOTTEN = {"content": "forgotten", "last_retrieved_at": LONG_AGO, "retrieval_count": 3}


def learning(store: Store) -> Operation:
    return store.journal.operation(Op.LEARN, actor=Actor.USER, session="s", now=NOW)


_STAMPS = st.sampled_from(
    [None, "", "never", "2031-01-01", LONG_AGO, "2026-05-10 12:00:00", "1772359200", b"\xff", 7]
)
_FACTS = st.lists(
    st.fixed_dictionaries(
        {
            "content": st.just("a fact"),
            "trust_score": st.floats(0.0, 1.0) | st.none() | st.just("high"),
            "retrieval_count": st.integers(0, 700) | st.none(),
            "helpful_count": st.integers(0, 300) | st.none(),
            "unhelpful_count": st.integers(0, 2),
            "discounted": st.integers(0, 50),
            "learn_retrievals": st.integers(0, 100),
            "learn_helpful": st.integers(0, 20),
            "pinned": st.sampled_from([0, 1]),
        }
    ),
    max_size=8,
)


@given(facts=_FACTS, stamps=st.lists(st.tuples(_STAMPS, _STAMPS), min_size=8, max_size=8))
@settings(max_examples=20, deadline=None)
def test_a_pass_over_many_says_what_the_rules_say_of_each(
    facts: list[dict[str, Any]], stamps: list[tuple[Any, Any]]
) -> None:
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "f", now=NOW)) as store:
        fill(store, facts)
        sql = sql_on(store.path)
        for number, (last, aged) in enumerate(stamps, start=1):
            sql(
                "UPDATE facts SET last_retrieved_at = ?, aged_at = ? WHERE fact_id = ?",
                *(last, aged, number),
            )
        expected = {row.fact_id: judge(use_of(row), NOW) for row in store.evidence.for_learning()}
        run_learning(store, now=NOW, actor=Actor.USER, session="s")
        trusts = dict(sql("SELECT fact_id, trust_score FROM facts"))
        reasons = dict(sql("SELECT fact_id, reason FROM changes WHERE op_id > 1"))
        for number, judgement in expected.items():
            assert reasons.get(number, "") == ", ".join(judgement.rules)
            if judgement.rules:
                assert trusts[number] == judgement.trust


def test_the_journal_holds_the_row_before_and_the_columns_after(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED | {"last_retrieved_at": LONG_AGO}, FORGOTTEN)
    before = {row["fact_id"]: row for row in table(sql, "facts")}
    learn()
    after = {row["fact_id"]: row for row in table(sql, "facts")}
    changes = sql("SELECT fact_id, before, after FROM changes WHERE op_id > 1")
    assert len(changes) == 3
    for number, old, new in changes:
        assert json.loads(old) == before[number]
        assert before[number] | json.loads(new) == after[number]


def test_bytes_in_the_place_of_a_text_are_kept_as_text(
    remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED)
    sql("UPDATE facts SET source_ref = ? WHERE fact_id = 1", b"notes.md")
    assert learn().promoted == 1
    [(before,)] = sql("SELECT before FROM changes WHERE op_id > 1 AND fact_id = 1")
    assert json.loads(before)["source_ref"] == "notes.md"
    assert sql("SELECT source_ref FROM facts WHERE fact_id = 1") == [(b"notes.md",)]


def test_a_column_that_another_program_added_is_part_of_the_row_before(
    remember: Remember, store: Store, sql: Sql
) -> None:
    remember(LOVED)
    sql("""ALTER TABLE facts ADD COLUMN "it's theirs" TEXT DEFAULT 'kept'""")
    run_learning(store, now=NOW, actor=Actor.USER, session="s")
    [(before,)] = sql("SELECT before FROM changes WHERE op_id > 1")
    assert json.loads(before)["it's theirs"] == "kept"


def test_learning_leaves_the_index_as_it_is(
    store: Store, remember: Remember, learn: Learn, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN)
    tokens = table(sql, "fact_tokens")
    sql("CREATE TRIGGER watched AFTER INSERT ON fact_tokens BEGIN SELECT RAISE(FAIL, 'no'); END")
    learn()
    assert store.index.pending() == 0
    assert table(sql, "fact_tokens") == tokens


def test_what_another_program_changed_since_is_judged_again(
    store: Store, remember: Remember, sql: Sql
) -> None:
    remember(LOVED, IGNORED, FORGOTTEN)
    operation = learning(store)
    with store.judging(bulk_rule(NOW, KNOBS)) as judging:
        assert judging.judge_next(10)
        sql("UPDATE facts SET retrieval_count = 0 WHERE fact_id = 1")
        sql("UPDATE facts SET status = 'removed' WHERE fact_id = 2")
        with operation.batch():
            assert judging.write(operation) == {"aged": 1}
    assert sql("SELECT trust_score FROM facts") == [(0.5,), (0.5,), (0.475,)]


def test_a_pass_takes_the_facts_in_batches_and_ends(store: Store, remember: Remember) -> None:
    remember(*[LOVED] * 3, "unused", "unused", *[IGNORED] * 2)
    operation = learning(store)
    written: list[dict[str, int]] = []
    with store.judging(bulk_rule(NOW, KNOBS)) as judging:
        while judging.judge_next(2):
            if judging.is_moved:
                with operation.batch():
                    written.append(dict(judging.write(operation)))
    assert written == [{"promoted": 2}, {"promoted": 1}, {"demoted": 1}, {"demoted": 1}]


def test_one_pass_after_another_begins_anew(store: Store, remember: Remember, sql: Sql) -> None:
    remember(LOVED)
    for _ in range(2):
        with store.judging(bulk_rule(NOW, KNOBS)) as judging:
            assert judging.judge_next(10)
    assert sql("SELECT name FROM sqlite_master WHERE name IN ('judged', 'verdicts')") == []
    assert run_learning(store, now=NOW, actor=Actor.USER, session="s").promoted == 1
