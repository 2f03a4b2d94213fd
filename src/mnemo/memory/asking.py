"""The verbs that ask; a search alone leaves a trace, in the log and the counters."""

from dataclasses import replace

from mnemo import __version__
from mnemo.audit import AuditReply, run_audit
from mnemo.backups import note_of_loss
from mnemo.dream.collect import collect
from mnemo.dream.compare import CompareReply, compare_facts, compare_texts
from mnemo.enums import Detail, Status
from mnemo.errors import InvalidInput, no_such_fact
from mnemo.memory.narrowing import Narrowing, wanted_facts
from mnemo.memory.pages import checked_limit, checked_offset
from mnemo.memory.recalling import Recalling
from mnemo.models import Fact, FactsReply, SearchReply, StatusReply
from mnemo.retriever.display import as_hit
from mnemo.retriever.search import DEFAULT_LIMIT, Scored, search_facts
from mnemo.settings.preferences import differing
from mnemo.store import Filter, Store
from mnemo.text.query import refine_query
from mnemo.writing.checks import checked_content

LIST_LIMIT = 50
LIST_CAP = 500


class Asking(Recalling):
    """Finding, reading, comparing and judging facts."""

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
        narrowing = Narrowing(
            category=category,
            memory_class=memory_class,
            project_id=project_id,
            min_trust=min_trust,
            limit=limit,
            include_archived=include_archived,
        )

        def find(store: Store, wanted: Filter, most: int) -> list[Scored]:
            if auto and query.strip() and refine_query(query) is None:
                return []
            return search_facts(store, query, wanted, limit=most, today=self._clock().date())

        _, hits, notes = self._recall(
            query,
            narrowing,
            find=find,
            show=lambda fact, scored: as_hit(fact, scored, detail=detail, explain=explain),
        )
        return SearchReply(results=hits, count=len(hits), notes=notes)

    def get(self, *fact_ids: int, content_offset: int = 0) -> FactsReply:
        """Whole records by id, of any status, contents from ``content_offset`` on.

        Reading is not a recall and counts nothing.
        """
        checked_offset(content_offset, "content_offset")
        with self._open(catch_up=False) as store:
            facts = tuple(store.facts.get(fact_ids))
            found = [fact.fact_id for fact in facts]
            absorbed, named = store.facts.absorbed(found), store.entities.named_by(found)
            facts = tuple(
                fact.model_copy(
                    update={
                        "absorbed": absorbed.get(fact.fact_id, ()),
                        "entities": named.get(fact.fact_id, ()),
                    }
                )
                for fact in facts
            )
        if content_offset:
            facts = tuple(_from_offset(fact, content_offset) for fact in facts)
        missing = [i for i in fact_ids if i not in {fact.fact_id for fact in facts}]
        if missing and not facts:
            raise no_such_fact(*missing)
        notes = (no_such_fact(*missing).message,) if missing else ()
        return FactsReply(
            facts=facts,
            count=len(facts),
            total=len(facts),
            missing=tuple(missing),
            notes=notes,
        )

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
            wanted_facts(
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
            statuses = {fact.fact_id: fact.status for fact in store.facts.get((left, right))}
            if missing := [fact_id for fact_id in (left, right) if fact_id not in statuses]:
                raise no_such_fact(*missing)
            seen = {fact.fact_id: fact for fact in collect(store, left, right)}
        asleep = {i: status for i, status in statuses.items() if status != Status.ACTIVE}
        return compare_facts(seen[left], seen[right], asleep=asleep)

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


def _from_offset(fact: Fact, offset: int) -> Fact:
    if offset >= len(fact.content):
        raise InvalidInput(
            f"content_offset {offset} is past the end of fact {fact.fact_id}",
            hint=f"its content has {len(fact.content)} characters",
        )
    return fact.model_copy(update={"content": fact.content[offset:]})


def _statuses(status: str, *, include_archived: bool) -> tuple[Status, ...]:
    try:
        wanted = Status(status.strip().lower())
    except ValueError:
        raise InvalidInput(
            f"there is no status {status!r}", hint=f"allowed: {', '.join(Status)}"
        ) from None
    return (wanted, Status.ARCHIVED) if include_archived else (wanted,)
