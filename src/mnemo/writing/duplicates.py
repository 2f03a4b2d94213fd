"""What becomes of a statement that says nearly the same as a stored fact, where a person has set
that it is not simply kept.

Only facts that do not contrast come here. Merging keeps whichever text says more; the old text
is in the journal.
"""

from datetime import datetime
from typing import Any

from mnemo.enums import Secrets
from mnemo.models import AddReply, Fact
from mnemo.store import Operation
from mnemo.text.normal import cut
from mnemo.text.secrets import redact
from mnemo.text.sentences import split_sentences
from mnemo.text.tokens import tokenize_for_dedup
from mnemo.writing.checks import STALE_SUMMARY, length_warnings
from mnemo.writing.screening import with_flags

REINFORCEMENT = 0.05  # trust that a fact gains when it is said again
SUPPLEMENTED_CHARS = 300  # beyond this length a supplemented text would lose rank


def skip(op: Operation, fact: Fact) -> AddReply:
    """Store nothing, and name the fact that says nearly the same."""
    op.event("WRITE-SKIP", fact.fact_id)
    return AddReply(
        fact_id=fact.fact_id,
        status="skipped",
        category=fact.category,
        memory_class=fact.memory_class,
        reason="similar",
    )


def merge(
    op: Operation, fact: Fact, content: str, *, filled: dict[str, Any], secrets: str = Secrets.WARN
) -> AddReply | None:
    """Let the stored fact take in what the new text adds, and the columns that it lacked; None
    where it would grow too long. ``secrets`` says what its flags tell of.
    """
    old, new = set(tokenize_for_dedup(fact.content)), set(tokenize_for_dedup(content))
    if new <= old:
        filled = with_flags(fact, filled, secrets=secrets)
        return _written(op, fact, fact.content, filled, status="exists", reason="similar")
    if not old <= new:
        content = _supplemented(fact.content, _novel_part(content, old), op.now)
        if len(content) > SUPPLEMENTED_CHARS:
            return None
    filled = with_flags(fact, filled | {"content": content}, secrets=secrets)
    return _written(op, fact, content, filled, status="updated", reason="similar_fact_merged")


def _written(
    op: Operation, fact: Fact, content: str, filled: dict[str, Any], *, status: str, reason: str
) -> AddReply:
    columns: dict[str, Any] = filled | {"trust_score": min(1.0, fact.trust_score + REINFORCEMENT)}
    if content != fact.content and fact.summary_source == "auto":
        columns |= {"summary": None, "summary_source": None}
    summary = columns.get("summary", fact.summary)
    op.update(fact.fact_id, reason=reason, **columns)
    op.event("WRITE-MERGE", fact.fact_id, was=cut(redact(fact.content), 80))
    return AddReply(
        fact_id=fact.fact_id,
        status=status,
        category=fact.category,
        memory_class=fact.memory_class,
        reason=reason,
        warnings=(
            *length_warnings(content, summary),
            *(STALE_SUMMARY if summary and content != fact.content else ()),
        ),
    )


def _novel_part(content: str, known: set[str]) -> str:
    sentences = [s for s in split_sentences(content) if set(tokenize_for_dedup(s)) - known]
    return " ".join(sentences)


def _supplemented(content: str, novel: str, now: datetime) -> str:
    return f"{content} ｜ [+{now:%Y-%m-%d}] {novel}"
