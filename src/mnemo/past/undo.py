"""Taking an operation back, and bringing back what was taken back.

An undo is an operation itself, so it can be undone: that is what redo does. It is judged whole
before anything is written: where one fact has changed since, everything stays as it is, unless
the caller wants the rest undone. What fits into one short transaction is written in one. A larger
one is written in several, so that other writers need not wait; cut short, it leaves facts that are
undone and facts that are not, each whole, and the next undo of the same operation goes on with
those that are left, under the same id. What was undone in part can be undone further, by an undo
of its own, once nothing stands in the way. A fact that somebody changes while it runs is left out
and named.
"""

import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemo.enums import Actor, Op
from mnemo.errors import InvalidInput, NotFound, Refused
from mnemo.models import Frozen, Reply, Stamp
from mnemo.past.rules import columns_back, is_as_left
from mnemo.past.told import Difference, differences, listed
from mnemo.store import DREAM, INDEXED, Change, Operation, PastOperation, Store, operation_name

# One transaction takes about so many facts, or a twentieth of that where their words must be
# indexed anew: about 0.08 seconds.
_BATCH_WEIGHT = 1_000
_WEIGHT_OF_INDEXING = 20
_CHARS_PER_WEIGHT = 50
# So many facts are named one by one, in the reply and in events.
_NAMED = 200
_SHOWN = 20


class BlockedFact(Frozen):
    """A fact that stays as it is, and why."""

    fact_id: int
    reason: str
    op: str = ""  # what changed it since, where mnemo knows


class FactChange(Frozen):
    """What an undo changed on a fact."""

    fact_id: int
    changes: tuple[Difference, ...]


class UndoReply(Reply):
    """What was taken back; with ``redone``, what that brought back.

    ``op`` is the undo itself; ``kind``, ``actor`` and ``at`` tell of what is taken or brought back.
    ``facts`` names the first of ``count`` facts, ``changes`` shows what became of a few of them.
    """

    undone: str
    redone: str = ""
    op: str = ""
    kind: str
    actor: str
    at: Stamp
    facts: tuple[int, ...]
    count: int
    changes: tuple[FactChange, ...] = ()
    blocked: tuple[BlockedFact, ...] = ()
    dry_run: bool = False
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The answer as plain JSON values."""
        answer = super().as_json()
        if self.changes:
            answer["changes"] = [
                {"fact_id": c.fact_id, "changes": [d.as_json() for d in c.changes]}
                for c in self.changes
            ]
        return answer


@dataclass(frozen=True)
class How:
    """How an operation is to be taken back."""

    now: datetime
    actor: Actor
    session: str
    dry_run: bool = False
    partial: bool = False
    between: Callable[[], None] = lambda: None


def undo_operation(store: Store, op: str, how: How) -> UndoReply:
    """Take the operation ``op`` back; blank: the newest that changed facts, is no undo and is not
    undone.

    Raises InvalidInput, NotFound or Refused where that cannot be done; nothing is changed then.
    """
    target = _named(store, op) if op.strip() else store.history.newest_to_undo()
    if target is None:
        raise Refused("there is nothing to undo", hint="events shows what was done")
    return _TakingBack(store, target, how).run()


def redo_operation(store: Store, how: How) -> UndoReply:
    """Take the newest undo back. Raises Refused where there is none, or where facts changed."""
    target = store.history.newest_to_redo()
    if target is None:
        raise Refused("there is nothing to redo", hint="redo brings back what undo took back")
    return _TakingBack(store, target, how).run()


def _named(store: Store, op: str) -> PastOperation:
    name = re.fullmatch(r"(?:op[-_ ]?)?(\d{1,18})", op.strip().lower())
    if name is None:
        raise InvalidInput(
            f"{op.strip()[:40]!r} is not the name of an operation",
            hint="an operation is named like op-7; events and history show them",
        )
    number = int(name[1])
    found = store.history.operation(number)
    if op.strip().isdecimal():
        raise _ambiguous(store, number, found)
    if found is None:
        raise NotFound(
            f"there is no operation {operation_name(number)}",
            hint="events and history show the operations; old ones are forgotten",
        )
    return found


def _ambiguous(store: Store, number: int, found: PastOperation | None) -> InvalidInput:
    name = operation_name(number)
    facts = store.facts.get([number])
    said = [f"fact {number} is {facts[0].status}" if facts else f"there is no fact {number}"]
    said.append(f"{name} was {found.kind}" if found else f"there is no {name}")
    hints = [f"undo {name} takes that operation back"] if found else []
    if facts:
        hints.append(f"history {number} shows what was done to the fact")
        if facts[0].status != "active":
            hints.append(f"restore {number} brings it back")
    return InvalidInput(
        f"undo takes an operation, not the bare number {number}: {', '.join(said)}",
        hint="; ".join(hints) or "events shows the operations",
    )


@dataclass
class _Judged:
    """What is to be set on which fact, and what stands in the way."""

    columns: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    weights: dict[int, int] = field(default_factory=dict[int, int])
    shown: list[FactChange] = field(default_factory=list[FactChange])
    changed: list[int] = field(default_factory=list[int])
    gone: list[int] = field(default_factory=list[int])
    erased: list[int] = field(default_factory=list[int])

    @property
    def is_empty(self) -> bool:
        return not (self.columns or self.changed or self.gone or self.erased)

    def judge(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.is_erased:
                self.erased.append(change.fact_id)
            elif change.now is None:
                self.gone.append(change.fact_id)
            elif not is_as_left(change.before, change.after, change.now):
                self.changed.append(change.fact_id)
            else:
                self._take(change, change.now)

    def _take(self, change: Change, now: dict[str, Any]) -> None:
        back = columns_back(change.before, change.after, now)
        self.columns[change.fact_id] = back
        self.weights[change.fact_id] = (
            1
            if INDEXED.isdisjoint(back)
            else _WEIGHT_OF_INDEXING + len(str(now["content"])) // _CHARS_PER_WEIGHT
        )
        if len(self.shown) < _SHOWN:
            self.shown.append(FactChange(fact_id=change.fact_id, changes=differences(now, back)))

    def leave_out(self, fact_ids: Iterable[int]) -> None:
        for fact_id in fact_ids:
            self.columns.pop(fact_id, None)
        self.shown = [change for change in self.shown if change.fact_id in self.columns]

    def batches(self) -> Generator[list[int]]:
        batch: list[int] = []
        weight = 0
        for fact_id in self.columns:
            if batch and weight + self.weights[fact_id] > _BATCH_WEIGHT:
                yield batch
                batch, weight = [], 0
            batch.append(fact_id)
            weight += self.weights[fact_id]
        yield batch


class _TakingBack:
    """One operation on its way back."""

    def __init__(self, store: Store, target: PastOperation, how: How) -> None:
        self._store = store
        self._target = target
        self._how = how
        self._name = operation_name(target.op_id)
        self._redoes = target.undoes if target.kind == Op.UNDO else None
        self._told = (self._redoes and store.history.operation(self._redoes)) or target
        self._earlier = store.history.undo_of(target.op_id)
        self._judged = _Judged()
        self._version = 0

    def run(self) -> UndoReply:
        """The reply to the whole."""
        self._refuse_what_cannot()
        with self._alone() as go_on:
            self._judge()
            if self._how.dry_run:
                return self._reply(None)
            self._refuse_what_changed(self._judged)
            return self._reply(self._write(between=go_on))

    def _refuse_what_cannot(self) -> None:
        target = self._target
        if target.kind == Op.PURGE:
            raise Refused(f"{self._name} erased facts for good", hint="only a backup has them")
        if not target.facts:
            raise Refused(
                f"the {target.kind} {self._name} changed no fact", hint="there is nothing to undo"
            )
        if self._earlier and (again := self._store.history.undo_of(self._earlier.op_id)):
            raise Refused(
                f"{operation_name(again.op_id)}, which brings {self._name} back, was cut short",
                hint="redo goes on with it",
            )

    @contextmanager
    def _alone(self) -> Generator[Callable[[], None]]:
        """What is called between two transactions; no dream runs meanwhile where it is one that
        goes, or comes back.
        """
        if self._root().kind != Op.DREAM or self._how.dry_run:
            yield self._how.between
            return
        with self._store.locks.held(
            DREAM, now=self._how.now, refusal="a dream is running"
        ) as renew:

            def go_on() -> None:
                self._how.between()
                renew()

            yield go_on

    def _root(self) -> PastOperation:
        root = self._target
        while root.undoes is not None and (earlier := self._store.history.operation(root.undoes)):
            root = earlier
        return root

    def _judge(self) -> None:
        # Asked first: whatever another connection commits from here on counts as a change.
        self._version = self._store.history.version()
        self._judged.judge(self._store.history.changes(self._target.op_id))
        if self._judged.is_empty:
            by = operation_name(self._earlier.op_id) if self._earlier else "another process"
            raise Refused(
                f"{self._name} is undone already, by {by}", hint=f"undo {by} brings it back"
            )

    def _refuse_what_changed(self, judged: _Judged) -> None:
        blocked = [*judged.changed, *judged.gone]
        done = "redone" if self._redoes else "undone"
        if not judged.columns:
            self._refuse(f"nothing of {self._name} can be {done}", judged, can_in_part=False)
        if blocked and not self._how.partial:
            self._refuse(f"{self._name} was not {done}", judged, can_in_part=True)

    def _refuse(self, said: str, judged: _Judged, *, can_in_part: bool) -> None:
        later = self._store.history.changed_later(self._target.op_id, judged.changed)
        blocked = _blocked(judged, later)
        newest_first = sorted({operation.op_id for operation in later.values()}, reverse=True)
        hints = [f"undo {listed(map(operation_name, newest_first))} first"] if later else []
        if can_in_part:
            hints.append("partial leaves them out and undoes the rest")
        raise Refused(
            f"{said}: {listed(f'fact {fact.fact_id} {fact.reason}' for fact in blocked)}",
            hint=", or ".join(hints) or self._other_ways(),
        )

    def _other_ways(self) -> str:
        """What is left where no undo of a later operation would help."""
        before = self._store.history.newest_to_undo(before=self._target.op_id)
        further = (
            f"; undo {operation_name(before.op_id)} takes back what was before" if before else ""
        )
        return f"only a backup has what it was{further}"

    def _write(self, *, between: Callable[[], None]) -> Operation:
        cut_short = self._earlier if self._target.undone_by is None else None
        operation = self._store.journal.operation(
            Op.REDO if self._redoes else Op.UNDO,
            actor=self._how.actor,
            session=self._how.session,
            now=self._how.now,
            resumes=cut_short.op_id if cut_short else None,
            undoes=self._target.op_id,
        )
        batches = list(self._judged.batches())
        written = cut_short.facts if cut_short else 0
        for number, batch in enumerate(batches, start=1):
            with operation.batch():
                self._judge_again(batch, is_all=len(batches) == 1)
                columns = self._judged.columns
                back = {i: columns[i] for i in batch if i in columns}
                operation.put_back(back, reason=f"undo {self._name}")
                written += len(back)
                self._tell(operation, back if len(batches) == 1 else (), written)
                if number == len(batches):
                    operation.complete_undo()
            between()
        return operation

    def _judge_again(self, batch: Sequence[int], *, is_all: bool) -> None:
        """Look once more at what another process may have changed in the meantime."""
        if self._store.history.version() == self._version:
            return
        again = _Judged()
        again.judge(self._store.history.changes(self._target.op_id, batch))
        if is_all:
            self._refuse_what_changed(again)
        judged = self._judged
        judged.leave_out(i for i in batch if i not in again.columns)
        judged.columns |= again.columns
        for name in ("changed", "gone", "erased"):
            getattr(judged, name).extend(getattr(again, name))

    def _tell(self, operation: Operation, back: Collection[int], written: int) -> None:
        """The events of a few facts, or one of how many there were up to now."""
        detail: dict[str, Any] = {"op": self._name, "kind": self._told.kind}
        if self._redoes:
            detail["redoes"] = operation_name(self._redoes)
        if not 0 < len(back) == written <= _SHOWN:
            operation.sum_up("UNDO", facts=written, **detail)
            return
        for fact_id in back:
            operation.event("UNDO", fact_id, **detail)

    def _reply(self, operation: Operation | None) -> UndoReply:
        told = self._told
        facts = list(self._judged.columns)
        later = self._store.history.changed_later(self._target.op_id, self._judged.changed)
        blocked = _blocked(self._judged, later)
        notes: tuple[str, ...] = ()
        if self._how.dry_run and blocked and not (self._how.partial and facts):
            notes = ("as it is this would be refused" + ("; partial would not" if facts else ""),)
        if len(facts) > _NAMED or len(blocked) > _NAMED:
            notes += (f"the first {_NAMED} facts are named; count says how many there are",)
        return UndoReply(
            undone=self._name,
            redone=operation_name(self._redoes) if self._redoes else "",
            op=operation_name(operation.op_id) if operation else "",
            kind=told.kind,
            actor=told.actor,
            at=told.started_at,
            facts=tuple(facts[:_NAMED]),
            count=len(facts),
            changes=tuple(self._judged.shown),
            blocked=tuple(blocked[:_NAMED]),
            dry_run=self._how.dry_run,
            notes=notes,
        )


def _blocked(judged: _Judged, later: Mapping[int, PastOperation]) -> list[BlockedFact]:
    """The facts that stay as they are; ``later`` has the operations that changed them since."""
    found: list[BlockedFact] = []
    for fact_id in judged.changed:
        by = later.get(fact_id)
        found.append(
            BlockedFact(fact_id=fact_id, reason="was changed since by another program")
            if by is None
            else BlockedFact(
                fact_id=fact_id,
                reason=f"was changed since by the {by.kind} {operation_name(by.op_id)}",
                op=operation_name(by.op_id),
            )
        )
    found += [BlockedFact(fact_id=i, reason="was deleted by another program") for i in judged.gone]
    found += [BlockedFact(fact_id=i, reason="was purged") for i in judged.erased]
    return sorted(found, key=lambda fact: fact.fact_id)
