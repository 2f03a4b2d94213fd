"""Memory: the whole public Python API, one method a verb.

Each method is one operation or one read, and raises a `MnemoError` that says what is wrong and
what to do; the store is as it was then. How the file is opened and shared is the session's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mnemo import __version__, times
from mnemo.audit import AuditReply, run_audit
from mnemo.backups import (
    BackupReply,
    BackupsReply,
    RestoreBackupReply,
    list_backups,
    make_backup,
    note_of_loss,
    refuse_missing,
    restore_backup,
)
from mnemo.dream.compare import CompareReply, compare_facts, compare_texts
from mnemo.dream.cycle import Caller, carry_out, checked_wish, propose_dream, run_dream
from mnemo.dream.proposals import Proposals
from mnemo.dream.report import DreamReply
from mnemo.enums import Detail, Op, Status, Verdict
from mnemo.errors import InvalidInput, MnemoError, no_such_fact
from mnemo.learning.cycle import run_learning
from mnemo.models import (
    AddReply,
    ConfigReply,
    Fact,
    FactsReply,
    FeedbackReply,
    LearnReply,
    PinReply,
    RemoveReply,
    RestoreReply,
    SearchReply,
    StatusReply,
    UpdateReply,
)
from mnemo.past.events import (
    EVENTS_LIMIT,
    EventGroupsReply,
    EventsReply,
    asked_for,
    count_events,
    list_events,
)
from mnemo.past.purge import PurgeReply, purge_facts
from mnemo.past.story import HistoryReply, tell_story
from mnemo.past.undo import How, UndoReply, redo_operation, undo_operation
from mnemo.retriever.display import as_hit
from mnemo.retriever.log import log_retrieval
from mnemo.retriever.search import DEFAULT_LIMIT, search_facts
from mnemo.session import CATCH_UP_SECONDS, Session
from mnemo.settings import Preferences
from mnemo.settings.config import change_config
from mnemo.settings.preferences import checked_value, differing, key_named
from mnemo.store import Filter, Operation, Store
from mnemo.text.query import refine_query
from mnemo.writing.add import DuplicatePolicy, NewFact, add_fact
from mnemo.writing.checks import checked_category, checked_class, checked_content
from mnemo.writing.feedback import rate_fact
from mnemo.writing.pins import pin_fact, unpin_fact
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

    def pin(self, *fact_ids: int, reason: str = "") -> tuple[PinReply | MnemoError, ...]:
        """Keep facts from being retired by a dream or lowered by learning, and list them first."""

        def pin(store: Store, op: Operation, fact_id: int) -> PinReply:
            return pin_fact(store, op, fact_id, reason=reason)

        return self._each(Op.PIN, fact_ids, pin)

    def unpin(self, *fact_ids: int) -> tuple[PinReply | MnemoError, ...]:
        """Let pinned facts be as any other again; their trust is what it was."""
        return self._each(Op.UNPIN, fact_ids, unpin_fact)

    def feedback(
        self, verdict: Verdict, *fact_ids: int, query: str = ""
    ) -> tuple[FeedbackReply | MnemoError, ...]:
        """Say whether recalled facts were of use; trust moves by +0.05 or -0.10.

        ``query`` is the search that returned them: the events then name it.
        """

        def rate(store: Store, op: Operation, fact_id: int) -> FeedbackReply:
            return rate_fact(store, op, fact_id, verdict, query=query)

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

    def compare(self, left: str | int, right: str | int) -> CompareReply:
        """What a dream would make of two texts, or of two facts named by their ids.

        Reads only; a comparison is no recall.
        """
        if isinstance(left, str) and isinstance(right, str):
            return compare_texts(checked_content(left), checked_content(right))
        if isinstance(left, str) or isinstance(right, str):
            raise InvalidInput(
                "a text and a fact cannot be compared", hint="give two texts, or two ids"
            )
        if left == right:
            raise InvalidInput(f"fact {left} was named twice", hint="give the ids of two facts")
        with self._open(catch_up=False) as store:
            facts = {fact.fact_id: fact for fact in store.facts.get((left, right))}
        if missing := [fact_id for fact_id in (left, right) if fact_id not in facts]:
            raise no_such_fact(*missing)
        return compare_facts(facts[left], facts[right])

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
                settings=differing(self.settings.preferences),
                notes=note_of_loss(store),
            )

    # -- settings -------------------------------------------------------------------------

    def config(self, *keys: str) -> ConfigReply:
        """The settings of these names, or all, as they hold now. Opens no database."""
        settings = self.settings
        held = settings.preferences.model_dump(mode="json")
        names = [key_named(key) for key in keys] or list(held)
        return ConfigReply(path=str(settings.file), settings={name: held[name] for name in names})

    def set_config(self, key: str, value: str | float) -> ConfigReply:
        """Write a setting into `config.json`; a text is read as a person types it.

        Raises InvalidInput for a key that does not exist or a value that it cannot have, and
        Refused for a file that cannot be read; the file is then as it was.
        """
        name = key_named(key)
        return self._configure({name: checked_value(name, value)})

    def reset_config(self, *keys: str) -> ConfigReply:
        """Take these settings, or all, out of `config.json`, so that their defaults hold."""
        return self._configure(dict.fromkeys(map(key_named, keys or Preferences.model_fields)))

    def _configure(self, values: Mapping[str, Any]) -> ConfigReply:
        with self._operation(Op.CONFIG) as (_, op), op.batch():
            # The write lock of the database lets one process at a time change the file.
            changed = change_config(self.settings.file, values)
            if changed:
                op.event("CONFIG", **changed)
        return self.config(*values).model_copy(update={"changed": tuple(changed)})

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
                between=self._pauses(),
            )

    def dream(
        self,
        *,
        dry_run: bool = False,
        plan: str = "",
        except_: Sequence[int] = (),
        resume: bool = True,
    ) -> DreamReply:
        """Tidy the store: backup, categories, overlaps, summaries.

        With ``dry_run`` only the plan, under an id; given back as ``plan`` it is carried out but
        for the steps ``except_``. A dream that was cut short is gone on with unless ``resume`` is
        false. Raises Stopped at the next transaction boundary after the memory was told to stop.
        """
        checked_wish(dry_run=dry_run, plan=plan, except_=except_)
        with self._open(catch_up=not dry_run) as store:
            proposals = Proposals(self.settings.home / "cache" / "plans", store.path)
            if dry_run:
                return propose_dream(store, proposals)
            caller = Caller(self._clock(), self._actor, self._session, self._short_pauses())
            if plan:
                return carry_out(store, caller, proposals, plan, excepted=except_)
            return run_dream(store, caller, resume=resume)

    # -- the past -------------------------------------------------------------------------

    def undo(self, op: str = "", *, dry_run: bool = False, partial: bool = False) -> UndoReply:
        """Take back what an operation such as op-7 changed; unnamed, the newest not undone yet.

        Where a fact has changed since, nothing is undone; with ``partial`` the rest is.
        """
        with self._open() as store:
            return undo_operation(store, op, self._how(dry_run=dry_run, partial=partial))

    def redo(self, *, dry_run: bool = False, partial: bool = False) -> UndoReply:
        """Bring back what the newest undo took back."""
        with self._open() as store:
            return redo_operation(store, self._how(dry_run=dry_run, partial=partial))

    def history(self, fact_id: int) -> HistoryReply:
        """What was done to a fact, oldest first, and how it was used. Changes nothing."""
        with self._open(catch_up=False) as store:
            return tell_story(store, fact_id)

    def events(
        self,
        *,
        action: str = "",
        since_days: float = 0.0,
        fact_id: int | None = None,
        actor: str = "",
        limit: int = EVENTS_LIMIT,
        aggregate: bool = False,
        group_by: str = "",
    ) -> EventsReply | EventGroupsReply:
        """What was done, newest first; counted with ``aggregate`` or ``group_by``: action, day or
        entry. Changes nothing.
        """
        checked_limit(limit)
        asked = asked_for(
            action=action, since_days=since_days, fact_id=fact_id, actor=actor, now=self._clock()
        )
        with self._open(catch_up=False) as store:
            if aggregate or group_by:
                return count_events(store, asked, group_by)
            return list_events(store, asked, limit=limit)

    def purge(self, *fact_ids: int, dry_run: bool = False) -> PurgeReply:
        """Erase facts for good, after a backup; nothing but that backup brings them back."""
        with self._open() as store:
            return purge_facts(
                store,
                fact_ids,
                now=self._clock(),
                actor=self._actor,
                session=self._session,
                dry_run=dry_run,
            )

    def forget_old_operations(self) -> None:
        """Let go of what in the journal is older than it is kept; facts stay as they are."""
        with self._open(catch_up=False) as store:
            go_on = self._pauses()
            while store.forgetting.forget_next(now=self._clock()):
                go_on()

    def _how(self, *, dry_run: bool, partial: bool) -> How:
        return How(
            self._clock(), self._actor, self._session, dry_run, partial, between=self._pauses()
        )

    # -- backups --------------------------------------------------------------------------

    def backup(self) -> BackupReply:
        """Copy the whole database now, and verify the copy.

        Raises NotFound where there is no database.
        """
        refuse_missing(self.settings.database)
        with self._open(catch_up=False) as store:
            return make_backup(store, now=self._clock())

    def backups(self) -> BackupsReply:
        """The backups of this database, newest first, each read through. Changes nothing."""
        return list_backups(self.settings.database)

    def restore_backup(self, name: str, *, dry_run: bool = False) -> RestoreBackupReply:
        """Let the database hold what a backup holds; what it held is backed up before."""
        with self._turn:
            self._let_go()
            return restore_backup(
                self.settings.database,
                name,
                actor=self._actor,
                now=self._clock(),
                dry_run=dry_run,
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
