"""The quality report for a person: each finding with the fact it is about and the commands that
mend it, ready to be copied.

Shows what the report says and decides nothing. At most ten findings of a kind are shown; the whole
is in ``--json``.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mnemo.audit import AuditReply, NearDuplicate
from mnemo.models import Fact
from mnemo.text.normal import cut
from mnemo.text.shown import one_line
from mnemo.times import parse

SHOWN = 10  # of one kind
_PREVIEW_CHARS = 60


class Finding(NamedTuple):
    """The facts that it is about, what is wrong, and the commands that mend it."""

    facts: tuple[int, ...]
    what: str
    commands: tuple[str, ...]


def shown_ids(reply: AuditReply) -> tuple[int, ...]:
    """The facts that `lines` shows, each once."""
    return tuple(
        dict.fromkeys(
            fact_id
            for _, findings in _findings(reply)
            for finding in findings[:SHOWN]
            for fact_id in finding.facts
        )
    )


def lines(reply: AuditReply, facts: Mapping[int, Fact]) -> Iterator[str]:
    """The report, line by line; ``facts`` are those of `shown_ids`, by id."""
    for title, findings in _findings(reply):
        yield f"{title}: {len(findings)}"
        for finding in findings[:SHOWN]:
            for fact_id in finding.facts:
                yield f"  fact {fact_id}: {_preview(facts.get(fact_id))}"
            yield f"    {finding.what}"
            yield from (f"      {command}" for command in finding.commands)
        if len(findings) > SHOWN:
            yield f"  and {len(findings) - SHOWN} more: mnemo audit --json"
    yield _figures(reply)


def _findings(reply: AuditReply) -> Iterator[tuple[str, list[Finding]]]:
    """Each kind that was found, the worst first: what may mislead, then what is in the way, then
    what is only old.
    """
    kinds = {
        "speak like an order": [
            Finding(
                (it.id,),
                f"flagged {', '.join(it.flags)}",
                (f"mnemo get {it.id}", f"mnemo remove {it.id}"),
            )
            for it in reply.injection_flagged
        ],
        "alike but for what contrasts": [
            Finding(
                (it.a, it.b),
                f"{one_line(it.contrast)}; where only one of them holds, remove the other",
                (f"mnemo remove {it.a}", f"mnemo remove {it.b}"),
            )
            for it in reply.conflicts
        ],
        "say nearly the same": [_near_duplicate(it) for it in reply.near_duplicates],
        "summary older than the content": [
            Finding(
                (it.id,),
                "the content was changed after the summary was written",
                (_summarise(it.id), f"mnemo update {it.id} --clear summary"),
            )
            for it in reply.summary_stale
        ],
        "long, without a summary": [
            Finding((it.id,), f"{it.content_length} characters", (_summarise(it.id),))
            for it in reply.long_without_summary
        ],
        "often recalled, rarely helpful": [
            Finding(
                (it.id,),
                f"{it.retrieval_count} recalls, {it.rate:.1%} of them helpful",
                _if_it_holds(it.id),
            )
            for it in reply.low_helpful_rate
        ],
        "trust is very low": [
            Finding((it.id,), f"trust {it.trust_score:.2f}", _if_it_holds(it.id))
            for it in reply.low_trust
        ],
        "not recalled for over 60 days": [
            Finding((it.id,), f"last recalled {_day(it.last_retrieved_at)}", _if_it_holds(it.id))
            for it in reply.aging_candidates
        ],
        "over 60 days old and never recalled": [
            Finding((it.id,), f"stored {_day(it.created_at)}", _if_it_holds(it.id))
            for it in reply.never_retrieved
        ],
    }
    return ((title, findings) for title, findings in kinds.items() if findings)


def _near_duplicate(it: NearDuplicate) -> Finding:
    if it.holds:
        reason = f"only fact {it.b} says {one_line(', '.join(it.holds))}"
        command = f"mnemo remove {it.b}"
    else:
        reason = "a dream would merge them"
        command = "mnemo dream --dry-run --text"
    return Finding((it.a, it.b), f"{it.similarity:.0%} alike; {reason}", (command,))


def _preview(fact: Fact | None) -> str:
    if fact is None:
        return "(no longer there)"
    content = one_line(fact.content)
    return content if len(content) <= _PREVIEW_CHARS else f"{cut(content, _PREVIEW_CHARS)}…"


def _day(stamp: str | None) -> str:
    """The day of a stored moment, where the person is."""
    moment = parse(stamp)
    return stamp or "at no known time" if moment is None else f"on {moment.astimezone():%Y-%m-%d}"


def _figures(reply: AuditReply) -> str:
    stats = reply.stats
    others = ", ".join(
        f"{n} {status}" for status, n in stats.by_status.items() if status != "active"
    )
    return (
        f"{reply.total_facts} facts{f' ({others})' if others else ''}, {stats.pinned} pinned, "
        f"trust {stats.avg_trust:.2f} and {stats.avg_length} characters on average, "
        f"{stats.log_rows} searches logged"
    )


def _summarise(fact_id: int) -> str:
    return f'mnemo update {fact_id} --summary "…"'


def _if_it_holds(fact_id: int) -> tuple[str, ...]:
    """What to do with a fact that holds, or that does not."""
    return (f"mnemo feedback helpful {fact_id}", f"mnemo remove {fact_id}")
