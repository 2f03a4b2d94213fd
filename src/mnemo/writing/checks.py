"""What can be stored, and what is said about it: the checks that every write passes.

A text comes out in its storable form or is refused; nothing is stored half.
"""

import re
from collections.abc import Iterable

from mnemo import times
from mnemo.enums import Category, MemoryClass, Track
from mnemo.errors import InvalidInput
from mnemo.text.normal import normalise
from mnemo.text.secrets import redact

MAX_CONTENT_CHARS = 20_000
MAX_SUMMARY_CHARS = 300  # a longer summary costs rank itself
MAX_TAGS = 20
WARN_CHARS = 500

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")

# One wording in every language: clients of the first mnemo look for it.
LENGTH_WARNING = "content 超过 500 字，建议提供 summary 或拆分为多条 fact"


def checked_content(text: str) -> str:
    """The text in its storable form. Raises InvalidInput for an empty or an overlong one."""
    content = normalise(text)
    if not content:
        raise InvalidInput("content must not be empty", hint="give the statement to remember")
    if len(content) > MAX_CONTENT_CHARS:
        raise InvalidInput(
            f"content has {len(content)} characters, more than {MAX_CONTENT_CHARS}; "
            "nothing was stored",
            hint="split it into several facts",
        )
    return content


def checked_category(name: str) -> Category:
    """The category of that name. Raises InvalidInput, naming the five, for another."""
    try:
        return Category(name.strip().lower())
    except ValueError:
        raise InvalidInput(
            f"there is no category {name!r}", hint=f"allowed: {', '.join(Category)}"
        ) from None


# The second ancestor's names for what a fragment is.
_FRAGMENT_TYPES = {
    "decision": MemoryClass.USER_DECISION,
    "preference": MemoryClass.USER_PREFERENCE,
    "note": MemoryClass.FACT,
    "event": MemoryClass.FACT,
    "lesson": MemoryClass.FACT,
}


def checked_class(name: str) -> MemoryClass:
    """The class of that name. Raises InvalidInput, naming the five, for another."""
    folded = name.strip().lower()
    try:
        return _FRAGMENT_TYPES.get(folded) or MemoryClass(folded)
    except ValueError:
        raise InvalidInput(
            f"there is no memory_class {name!r}", hint=f"allowed: {', '.join(MemoryClass)}"
        ) from None


def checked_track(name: str) -> Track:
    """The track of that name, the agent's where it is blank. Raises InvalidInput for another."""
    try:
        return Track(name.strip().lower() or Track.AGENT)
    except ValueError:
        raise InvalidInput(
            f"there is no track {name!r}", hint=f"allowed: {', '.join(Track)}"
        ) from None


def checked_tags(tags: str | Iterable[str]) -> tuple[str, ...]:
    """Tags from a comma separated text or a list: trimmed, each once.

    Raises InvalidInput for more than twenty.
    """
    parts = [tags] if isinstance(tags, str) else tags
    found = (normalise(tag) for part in parts for tag in part.split(","))
    distinct = tuple(dict.fromkeys(tag for tag in found if tag))
    if len(distinct) > MAX_TAGS:
        raise InvalidInput(
            f"{len(distinct)} tags are too many", hint=f"a fact carries at most {MAX_TAGS}"
        )
    return distinct


def checked_date(text: str) -> str:
    """The day as ``YYYY-MM-DD``. Raises InvalidInput for what names no day."""
    moment = times.parse(text) if _DAY.match(text.strip()) else None
    if moment is None:
        raise InvalidInput(f"{redact(text)[:40]!r} is not a date", hint="write it as 2026-05-14")
    return text.strip()[: len("2026-05-14")]


STALE_SUMMARY = ("summary may be stale: the content changed and the summary did not",)


def length_warnings(content: str, summary: str | None) -> tuple[str, ...]:
    """The warning about a long content without a summary, where it is due."""
    return (LENGTH_WARNING,) if len(content) > WARN_CHARS and not summary else ()


def summary_hints(summary: str | None) -> tuple[str, ...]:
    """The hint about a summary that is long itself, where it is due."""
    if not summary or len(summary) <= MAX_SUMMARY_CHARS:
        return ()
    hint = (
        f"the summary has {len(summary)} characters; beyond {MAX_SUMMARY_CHARS} it costs "
        "the fact rank in searches"
    )
    return (hint,)
