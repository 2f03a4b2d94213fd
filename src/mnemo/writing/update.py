"""How a stored fact changes: only what is given, everything else stays."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mnemo.enums import Status
from mnemo.errors import InvalidInput, Refused
from mnemo.models import Fact, UpdateReply
from mnemo.store import Operation, Store
from mnemo.text.normal import cut, normalise
from mnemo.text.secrets import redact
from mnemo.writing.checks import (
    STALE_SUMMARY,
    checked_category,
    checked_class,
    checked_content,
    checked_date,
    checked_tags,
    length_warnings,
    summary_hints,
)
from mnemo.writing.quality import flaws_of, hints_about
from mnemo.writing.screening import SCRUTINY, Scrutiny, screened, with_flags
from mnemo.writing.status import active_twin, existing


@dataclass(frozen=True)
class Edit:
    """What an update sets; None: stays as it is."""

    content: str | None = None
    summary: str | None = None
    tags: str | Iterable[str] | None = None
    category: str | None = None
    date: str | None = None
    memory_class: str | None = None
    project_id: str | None = None
    trust_delta: float | None = None
    clear: Sequence[str] = ()


CLEARABLE = ("summary", "tags", "date", "project_id")
_IDENTIFYING = ("content", "category")  # what twins have in common


def update_fact(
    store: Store, op: Operation, fact_id: int, edit: Edit, scrutiny: Scrutiny = SCRUTINY
) -> UpdateReply:
    """Change the given fields of a fact and nothing else."""
    with op.batch():
        fact = existing(store, fact_id)
        columns = _columns_to_set(fact, edit)
        if not columns:
            note = "; ".join(filter(None, ["unchanged", _held_to(fact, edit)]))
            return UpdateReply(updated=False, fact_id=fact_id, note=note)
        hints = _hints(fact, columns, scrutiny)
        category = columns.get("category", fact.category)
        content = columns.get("content", fact.content)
        # Twins that are there already, such as a restored fact, stay editable in all else.
        moved = fact.status == Status.ACTIVE and not columns.keys().isdisjoint(_IDENTIFYING)
        twin = active_twin(store, content, category, but=fact_id) if moved else None
        if twin is not None:
            raise Refused(
                f"duplicate of fact {twin.fact_id}, which says the same in {category}",
                hint=f"update or remove fact {twin.fact_id} instead; nothing was changed",
            )
        op.update(fact_id, **with_flags(fact, columns, secrets=scrutiny.secrets))
        op.event("UPDATE", fact_id, **_from_to(fact, columns))
        return UpdateReply(
            updated=True,
            fact_id=fact_id,
            note="; ".join(filter(None, [_trusted(fact, edit), _where_it_stands(fact)])),
            warnings=(
                *_warnings(fact, columns),
                *screened(columns, secrets=scrutiny.secrets).warnings,
            ),
            hints=(*summary_hints(columns.get("summary")), *hints),
        )


def _hints(fact: Fact, columns: dict[str, Any], scrutiny: Scrutiny) -> tuple[str, ...]:
    """Hints about a new content; raises InvalidInput where the gate rejects it."""
    if "content" not in columns:
        return ()
    flaws = flaws_of(
        columns["content"],
        summary=columns.get("summary", fact.summary),
        project_id=columns.get("project_id", fact.project_id),
    )
    return hints_about(flaws, scrutiny.gate)


def _trusted(fact: Fact, edit: Edit) -> str:
    """From where to where the trust went."""
    if edit.trust_delta is None:
        return ""
    before, held = fact.trust_score, _held_to(fact, edit)
    after = min(1.0, max(0.0, before + edit.trust_delta))
    return f"trust {before:.2f} to {after:.2f}" + (f", {held}" if held else "")


def _held_to(fact: Fact, edit: Edit) -> str:
    wanted = fact.trust_score + (edit.trust_delta or 0.0)
    return "" if 0.0 <= wanted <= 1.0 else "trust is held to 0 to 1"


def _where_it_stands(fact: Fact) -> str:
    match fact.status:
        case Status.ACTIVE:
            return ""
        case Status.ARCHIVED:
            return "it is archived: only a search with include_archived finds it"
        case _:
            return f"it is {fact.status}: nothing finds it"


def _warnings(fact: Fact, columns: dict[str, Any]) -> tuple[str, ...]:
    if columns.keys().isdisjoint(("content", "summary")):
        return ()
    content = columns.get("content", fact.content)
    summary = columns.get("summary", fact.summary)
    stale = STALE_SUMMARY if "content" in columns and "summary" not in columns and summary else ()
    return (*length_warnings(content, summary), *stale)


def _columns_to_set(fact: Fact, edit: Edit) -> dict[str, Any]:
    columns = _given(edit)
    for name in edit.clear:
        if name not in CLEARABLE:
            raise InvalidInput(
                f"{name!r} cannot be cleared", hint=f"clear takes: {', '.join(CLEARABLE)}"
            )
        columns[name] = "" if name == "tags" else None
    if not columns and edit.trust_delta is None:
        raise InvalidInput(
            f"nothing was given to change in fact {fact.fact_id}",
            hint="give content, summary, tags, category, date, memory_class, project_id, "
            "trust_delta or clear",
        )
    if edit.trust_delta is not None:
        if not math.isfinite(edit.trust_delta):
            raise InvalidInput(
                f"trust_delta {edit.trust_delta} is not a number", hint="give one from -1 to 1"
            )
        columns["trust_score"] = min(1.0, max(0.0, fact.trust_score + edit.trust_delta))
    before = fact.model_dump() | {"tags": ",".join(fact.tags)}
    changed = {name: value for name, value in columns.items() if before[name] != value}
    if "summary" in changed:
        changed["summary_source"] = "user" if changed["summary"] else None
    elif "content" in changed and fact.summary_source == "auto":
        # It was made from the old text; a dream makes a new one.
        changed |= {"summary": None, "summary_source": None}
    if "category" in changed:
        changed["category_locked"] = 1
    return changed


def _given(edit: Edit) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    if edit.content is not None:
        columns["content"] = checked_content(edit.content)
    if edit.summary is not None:
        columns["summary"] = normalise(edit.summary) or None
    if edit.tags is not None:
        columns["tags"] = ",".join(checked_tags(edit.tags))
    if edit.category is not None:
        columns["category"] = checked_category(edit.category)
    if edit.date is not None:
        columns["date"] = checked_date(edit.date)
    if edit.memory_class is not None:
        columns["memory_class"] = checked_class(edit.memory_class)
    if edit.project_id is not None:
        columns["project_id"] = normalise(edit.project_id) or None
    return columns


def _from_to(fact: Fact, columns: dict[str, Any]) -> dict[str, Any]:
    before = fact.model_dump() | {"tags": ",".join(fact.tags)}
    return {
        name: {"from": _shortened(before[name]), "to": _shortened(value)}
        for name, value in columns.items()
        if name in before and name != "summary_source"
    }


def _shortened(value: Any) -> Any:
    return cut(redact(value), 80) if isinstance(value, str) else value
