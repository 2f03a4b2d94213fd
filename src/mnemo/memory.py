"""Memory: the whole public Python API, one method a verb.

Each method is one operation or one read, and raises a `MnemoError` that says what is wrong and
what to do; the store is as it was then. How the file is opened and shared is the session's.
"""

from dataclasses import replace

from mnemo import __version__, times
from mnemo.audit import AuditReply, run_audit
from mnemo.dream.cycle import run_dream
from mnemo.dream.report import DreamReply
from mnemo.enums import Detail, Op, Status, Verdict
from mnemo.errors import InvalidInput, MnemoError, no_such_fact
from mnemo.learning.cycle import run_learning
from mnemo.models import (
    AddReply,
    Fact,
    FactsReply,
    FeedbackReply,
    LearnReply,
    RemoveReply,
    RestoreReply,
    SearchReply,
    StatusReply,
    UpdateReply,
)
from mnemo.retriever.display import as_hit
from mnemo.retriever.log import log_retrieval
from mnemo.retriever.search import DEFAULT_LIMIT, search_facts
from mnemo.session import CATCH_UP_SECONDS, Session
from mnemo.store import Filter, Operation, Store
from mnemo.text.query import refine_query
from mnemo.writing.add import DuplicatePolicy, NewFact, add_fact
from mnemo.writing.checks import checked_category, checked_class
from mnemo.writing.feedback import rate_fact
from mnemo.writing.status import remove_fact, restore_fact
from mnemo.writing.update import Edit, update_fact

LIST_LIMIT = 50
LIST_CAP = 500


class Memory(Session):
    """The memory in one database file."""

    # -- writing --------------------------------------------------------------------------

    def add(self, *facts: NewFact) -> tuple[AddReply | MnemoError, ...]:
        """Store statements, in order, as one operation.

        One reply a statement; one that could not be stored leaves its error in its place and
        does not stop the others.
        """
        preferences = self.settings.preferences
        policy = DuplicatePolicy(
            preferences.near_duplicate_threshold, preferences.near_duplicate_action
        )

        def add(store: Store, op: Operation, fact: NewFact) -> AddReply:
            return add_fact(store, op, fact, policy)

        return self._each(Op.ADD, facts, add)

    def update(self, fact_id: int, edit: Edit) -> UpdateReply:
        """Change the given fields of a fact."""
        with self._operation(Op.UPDATE) as (store, op):
            return update_fact(store, op, fact_id, edit)

    def remove(self, *fact_ids: int) -> tuple[RemoveReply | MnemoError, ...]:
        """Take facts out of sight, as one operation; `restore` brings them back."""
        return self._each(Op.REMOVE, fact_ids, remove_fact)

    def restore(self, *fact_ids: int) -> tuple[RestoreReply | MnemoError, ...]:
        """Make retired facts active again, as they were."""
        return self._each(Op.RESTORE, fact_ids, restore_fact)

    def feedback(self, verdict: Verdict, *fact_ids: int) -> tuple[FeedbackReply | MnemoError, ...]:
        """Say whether recalled facts were of use; trust moves by +0.05 or -0.10."""

        def rate(store: Store, op: Operation, fact_id: int) -> FeedbackReply:
            return rate_fact(store, op, fact_id, verdict)

        return self._each(Op.FEEDBACK, fact_ids, rate)

    # -- asking ---------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        category: str = "",
        memory_class: str = "",
        project_id: str = "",
        min_trust: float | None = None,
        limit: int = DEFAULT_LIMIT,
        detail: Detail = Detail.COMPACT,
        explain: bool = False,
        include_archived: bool = False,
        auto: bool = False,
    ) -> SearchReply:
        """The facts that answer a query, best first; the recall is logged and counted.

        With ``auto``, asked by a program on its own, a query that only operates ("git status")
        gets no answer; a person's query always does.
        """
        checked_limit(limit)
        preferences = self.settings.preferences
        most = preferences.max_query_results
        statuses = (Status.ACTIVE, Status.ARCHIVED) if include_archived else (Status.ACTIVE,)
        wanted = _filter(
            statuses,
            category=category,
            memory_class=memory_class,
            project_id=project_id,
            min_trust=preferences.min_trust if min_trust is None else min_trust,
        )
        with self._open() as store:
            notes = _pending_note(store)
            found = (
                []
                if auto and query.strip() and refine_query(query) is None
                else search_facts(
                    store, query, wanted, limit=min(limit, most), today=self._clock().date()
                )
            )
            facts = {fact.fact_id: fact for fact in store.facts.get([s.fact_id for s in found])}
            hits = tuple(as_hit(facts[s.fact_id], s, detail=detail, explain=explain) for s in found)
            log_retrieval(store, query, hits, now=self._clock())
        archived = [str(f.fact_id) for f in facts.values() if f.status == Status.ARCHIVED]
        if archived:
            notes += (f"archived: {', '.join(archived)}",)
        if limit > most:
            notes += (f"limit {limit} is more than {most}, the most a search returns",)
        return SearchReply(results=hits, count=len(hits), notes=notes)

    def get(self, *fact_ids: int, content_offset: int = 0) -> FactsReply:
        """Whole records by id, of any status, contents from ``content_offset`` on.

        Reading is not a recall and counts nothing.
        """
        checked_offset(content_offset, "content_offset")
        with self._open(catch_up=False) as store:
            facts = tuple(store.facts.get(fact_ids))
            absorbed = store.facts.absorbed([fact.fact_id for fact in facts])
            facts = tuple(
                fact.model_copy(update={"absorbed": absorbed.get(fact.fact_id, ())})
                for fact in facts
            )
        if content_offset:
            facts = tuple(_from_offset(fact, content_offset) for fact in facts)
        missing = [i for i in fact_ids if i not in {fact.fact_id for fact in facts}]
        if missing and not facts:
            raise no_such_fact(*missing)
        notes = (no_such_fact(*missing).message,) if missing else ()
        return FactsReply(facts=facts, count=len(facts), total=len(facts), notes=notes)

    def list(
        self,
        *,
        category: str = "",
        memory_class: str = "",
        project_id: str = "",
        min_trust: float = 0.0,
        limit: int = LIST_LIMIT,
        offset: int = 0,
        status: str = Status.ACTIVE,
        include_archived: bool = False,
        text: str = "",
        pinned: bool = False,
    ) -> FactsReply:
        """A page of whole records: pinned first, then by trust, the newest first."""
        checked_limit(limit)
        checked_offset(offset, "offset")
        wanted = replace(
            _filter(
                _statuses(status, include_archived=include_archived),
                category=category,
                memory_class=memory_class,
                project_id=project_id,
                min_trust=min_trust,
            ),
            text=text.strip(),
            pinned=pinned,
        )
        with self._open(catch_up=False) as store:
            facts = tuple(store.facts.page(wanted, limit=min(limit, LIST_CAP), offset=offset))
            total = store.facts.count(wanted)
        notes = (f"more: offset={offset + len(facts)}",) if offset + len(facts) < total else ()
        return FactsReply(facts=facts, count=len(facts), total=total, notes=notes)

    def audit(self) -> AuditReply:
        """The quality report. Changes nothing."""
        with self._open(catch_up=False) as store:
            return run_audit(store, now=self._clock())

    def status(self) -> StatusReply:
        """Where the store is and how it stands. Changes nothing."""
        with self._open(catch_up=False) as store:
            return StatusReply(
                version=__version__,
                db_path=str(store.path),
                schema_version=store.schema_version(),
                facts=store.facts.counts_by("status", active_only=False),
                categories=store.facts.counts_by("category", active_only=True),
                log_rows=store.retrievals.count(),
                index_pending=store.index.pending(),
                last_learn_at=store.meta.get("last_learn_at"),
                last_dream_at=store.meta.get("last_dream_at"),
            )

    # -- upkeep ---------------------------------------------------------------------------

    def learn(self, *, dry_run: bool = False) -> LearnReply:
        """Let trust follow the evidence of use."""
        with self._open(catch_up=False) as store:
            return run_learning(
                store,
                now=self._clock(),
                actor=self._actor,
                session=self._session,
                dry_run=dry_run,
            )

    def dream(self, *, dry_run: bool = False) -> DreamReply:
        """Tidy the store: backup, categories, overlaps, summaries.

        Raises Stopped at the next transaction boundary after the memory was told to stop.
        """
        with self._open(catch_up=not dry_run) as store:
            return run_dream(
                store,
                now=self._clock(),
                actor=self._actor,
                session=self._session,
                dry_run=dry_run,
                between=self._pauses(),
            )

    def is_due(self, what: str, *, days: float) -> bool:
        """Whether ``what`` (dream) last ran, or the store was first opened, that long ago."""
        with self._open(catch_up=False) as store:
            last = store.meta.get(f"last_{what}_at") or store.meta.get("first_start")
        return times.age_in_days(times.parse(last), self._clock()) >= days

    def catch_up(self, *, seconds: float) -> int:
        """Work for about so long on facts that wait for the index; how many still wait."""
        with self._open(catch_up=False) as store:
            return store.index.catch_up(seconds=seconds)

    def rebuild_index(self) -> int:
        """Make the index anew from the facts; comes back with how many facts there are."""
        with self._open(catch_up=False) as store:
            store.recreate_index()
            go_on = self._pauses()
            while store.index.catch_up(seconds=CATCH_UP_SECONDS):
                go_on()
            return sum(store.facts.counts_by("status", active_only=False).values())


def _pending_note(store: Store) -> tuple[str, ...]:
    waiting = store.index.pending()
    return (f"{waiting} facts still wait to be indexed; ask again soon",) if waiting else ()


def checked_limit(limit: int) -> None:
    """Raises InvalidInput for a limit that is no number of facts."""
    if limit < 1:
        raise InvalidInput(f"limit {limit} is below 1", hint="give how many facts at most")


def checked_offset(offset: int, name: str) -> None:
    """Raises InvalidInput for a place before the beginning."""
    if offset < 0:
        raise InvalidInput(f"{name} {offset} is below 0", hint=f"the first page has {name} 0")


def _from_offset(fact: Fact, offset: int) -> Fact:
    if offset >= len(fact.content):
        raise InvalidInput(
            f"content_offset {offset} is past the end of fact {fact.fact_id}",
            hint=f"its content has {len(fact.content)} characters",
        )
    return fact.model_copy(update={"content": fact.content[offset:]})


def _filter(
    statuses: tuple[Status, ...],
    *,
    category: str,
    memory_class: str,
    project_id: str,
    min_trust: float,
) -> Filter:
    """What a person asked for. ``memory_class`` may name several, comma separated."""
    if not 0.0 <= min_trust <= 1.0:
        raise InvalidInput(f"min_trust {min_trust} is out of range", hint="give one from 0 to 1")
    return Filter(
        statuses=statuses,
        category=checked_category(category) if category else None,
        min_trust=min_trust,
        classes=tuple(checked_class(name) for name in memory_class.split(",") if name.strip()),
        project_id=project_id.strip() or None,
    )


def _statuses(status: str, *, include_archived: bool) -> tuple[Status, ...]:
    try:
        wanted = Status(status.strip().lower())
    except ValueError:
        raise InvalidInput(
            f"there is no status {status!r}", hint=f"allowed: {', '.join(Status)}"
        ) from None
    return (wanted, Status.ARCHIVED) if include_archived else (wanted,)
