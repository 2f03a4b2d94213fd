"""What a client may write, and how it is read.

Models write arguments loosely: numbers and lists as strings, null for what they leave out, other
spellings of a name, a list where one value belongs. Whatever can be meant in one way only is
read that way; a key that means nothing is named in the reply, so that a misspelt argument is
never a wrong answer; a value that cannot be read is refused with one sentence.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, cast, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mnemo.enums import Category, MemoryClass, Status
from mnemo.errors import InvalidInput, no_id
from mnemo.text.normal import cut
from mnemo.text.secrets import redact


class Arguments(BaseModel):
    """Every argument of every action. An argument with its default was not given."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True, validate_by_name=True)

    action: str = Field("", description="What to do.")
    content: str = Field("", description="add, update: one short statement (at most 20000 chars).")
    contents: list[str] = Field(
        default_factory=list[str], description="add: several statements (at most 200)."
    )
    query: str = Field("", description="search: words, names or a question. Feedback: that search.")
    entity: str = Field("", description="A name. probe: facts with it; related: near it.")
    entities: list[str] = Field(
        default_factory=list[str], description="reason: facts with all of these names, or most."
    )
    fact_id: int = Field(0, description="Id of a fact.")
    fact_ids: list[int] = Field(default_factory=list[int], description="Ids of several.")
    category: str = Field("", description=f"{', '.join(Category)}. add: default general.")
    tags: str = Field("", description="add, update: comma separated.")
    summary: str = Field("", description="add, update: short form of a long fact, used to rank it.")
    summaries: list[str] = Field(
        default_factory=list[str], description="add: one for each of contents, in order."
    )
    source: str = Field("", description="add: where it comes from.")
    date: str = Field("", description="add, update: day it happened, YYYY-MM-DD.")
    clear: list[str] = Field(
        default_factory=list[str],
        description="update: empty these: summary, tags, date, project_id.",
    )
    memory_class: str = Field(
        "", description=f"{', '.join(MemoryClass)}. add: default by the text."
    )
    track: str = Field("", description="add: user if these are the user's own words.")
    reason: str = Field("", description="pin: why.")
    project_id: str = Field("", description="add, update: its project; else: only that.")
    trust_delta: float = Field(0.0, description="update: added to trust (0 to 1).")
    min_trust: float = Field(0.0, description="Least trust. Default 0.")
    limit: int = Field(0, description="Default 10, at most 20. list: 50, at most 500.")
    offset: int = Field(0, description="list: skip so many.")
    content_offset: int = Field(0, description="get: begin a long content there.")
    detail: str = Field("", description="compact (default) or full.")
    explain: bool = Field(False, description="search: show the parts of each score.")
    include_archived: bool = Field(False, description="Archived facts too.")
    status: str = Field("", description=f"list: {', '.join(Status)}. Default active.")
    q: str = Field("", description="list: only facts with this text in them.")
    pinned: bool = Field(False, description="list: only pinned facts.")
    auto: bool = Field(False, description="search: asked by a program: no answer to 'git status'.")
    dedup: bool = Field(True, description="add: false: store an exact twin too.")
    dry_run: bool = Field(False, description="learn, dream, undo: show what would change.")
    op: str = Field("", description="undo: such as op-7. Default the newest.")
    partial: bool = Field(False, description="undo: all but facts changed since.")
    type: str = Field("", description="events: only these, such as MERGE.")
    since_days: float = Field(0.0, description="events: only so many days back.")
    actor: str = Field("", description="events: only by agent, user or system.")
    group_by: str = Field("", description="events: count by action, day or entry.")
    aggregate: bool = Field(False, description="events: count them.")
    plan: str = Field("", description="dream: the plan of a dry run to carry out.")
    except_: list[int] = Field(
        default_factory=list[int], alias="except", description="dream: steps of the plan to skip."
    )
    resume: bool = Field(True, description="dream: false: begin anew after one was cut short.")

    @property
    def given(self) -> frozenset[str]:
        """The names of the arguments that were given."""
        return frozenset(self.model_fields_set)


# Looked up once: pydantic makes the mapping anew each time it is asked for.
FIELDS = Arguments.model_fields

# Other names that are understood, and stay out of the schema.
_ALIASES = {
    "topK": "limit",
    "top_k": "limit",
    "minWeight": "min_weight",
    "fp": "fact_id",
    "id": "fact_id",
    "ids": "fact_ids",
    "tag": "tags",
    "fragmentTypes": "memory_class",
    "fragment_types": "memory_class",
    "types": "memory_class",
    "entry": "fact_id",
    "except": "except_",
}
# Keys that some clients add to every call on their own.
_IGNORED = frozenset({"mode", "wait_for_previous"})
_WEIGHT_PER_TRUST = 20
# So many unknown keys are named in a warning, each cut to so many code points.
_NAMED, _NAMED_CHARS = 5, 40


def read_arguments(
    raw: Mapping[str, Any], *, typed: bool = False
) -> tuple[Arguments, tuple[str, ...]]:
    """The arguments that a call means, and a warning for each key that means nothing.

    Words that a person ``typed`` mean what they say: they are never read as a list.
    Raises InvalidInput for a value that cannot be read.
    """
    known: dict[str, Any] = {}
    unknown: list[str] = []
    for key, value in raw.items():
        name = _field(key, raw)
        if name in _IGNORED or (_is_absent(name, value) and not typed):
            continue
        if name == "min_weight":
            name, value = "min_trust", _trust_of_weight(value)
        if name in FIELDS:
            known[name] = value
        else:
            unknown.append(key)
    if not typed:
        _move_lists(known)
    known = {name: _read(name, value) for name, value in known.items()}
    try:
        arguments = Arguments.model_validate(known)
    except ValidationError as error:
        raise _refusal(error) from None
    if not unknown:
        return arguments, ()
    named = ", ".join(cut(key, _NAMED_CHARS) for key in sorted(unknown)[:_NAMED])
    more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
    return arguments, (f"unknown arguments were ignored: {named}{more}",)


def _field(key: str, raw: Mapping[str, Any]) -> str:
    if key == "text":
        action = str(raw.get("action", "")).strip().lower()
        return "query" if action in ("search", "query", "") else "content"
    return _ALIASES.get(key) or re.sub(r"(?<=[a-z])([A-Z])", r"_\1", key).lower()


def _is_absent(name: str, value: Any) -> bool:
    if name == "tags" and (items := _as_list(value)) is not None:
        return not _words(items)
    if value is None or value == []:
        return True
    if not isinstance(value, str) or name in ("query", "q"):
        return False
    # A blank content is for its action to judge.
    return _is_no_word(value) and (bool(value.strip()) or name != "content")


def _is_no_word(value: Any) -> bool:
    return value is None or str(value).strip().lower() in ("", "null", "none")


def _words(items: list[Any]) -> list[str]:
    return [str(item) for item in items if not _is_no_word(item)]


def _move_lists(known: dict[str, Any]) -> None:
    """A list in the place of one value belongs to the field for several."""
    for one, several in (
        ("content", "contents"),
        ("summary", "summaries"),
        ("fact_id", "fact_ids"),
        ("entity", "entities"),
    ):
        items = _as_list(known.get(one), of=object if one == "fact_id" else str)
        if items is not None:
            del known[one]
            known.setdefault(several, items)


def _as_list(value: Any, *, of: type = object) -> list[Any] | None:
    """The list that a value is, or that its text is when it is read as JSON; else None."""
    if isinstance(value, list):
        return cast("list[Any]", value)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            parsed: Any = json.loads(value)
        except ValueError:
            return None
        # A statement may well be about JSON; only a plain list of values is meant as one.
        items = cast("list[Any]", parsed) if isinstance(parsed, list) else [None]
        if all(isinstance(item, str | int) and isinstance(item, of) for item in items):
            return items
    return None


def _read(name: str, value: Any) -> Any:
    kind: Any = FIELDS[name].annotation
    if name in ("tags", "memory_class"):
        items = _as_list(value)
        return ",".join(_words(items)) if items is not None else value
    if name in ("action", "category", "status", "detail", "actor", "group_by") and isinstance(
        value, str
    ):
        return value.strip().lower()
    if name == "since_days" and isinstance(value, str):
        return value.strip().lower().removesuffix("d")
    if get_origin(kind) is list:
        return _read_list(name, value)
    if name == "fact_id" and isinstance(value, bool):
        raise no_id(json.dumps(value))
    if kind in (int, float) and isinstance(value, bool):
        raise InvalidInput(f"{name} must be a number, not {json.dumps(value)}", hint=_meaning(name))
    return value


def _read_list(name: str, value: Any) -> Any:
    items = _as_list(value)
    if items is None and isinstance(value, str):
        items = [part.strip() for part in value.split(",")] if name != "contents" else [value]
    if items is None:
        items = [value]
    if name == "fact_ids":
        for item in items:
            if isinstance(item, bool):
                raise no_id(json.dumps(item))
    return items


def _trust_of_weight(value: Any) -> Any:
    """The other system's weight of 0 … 20 as a trust of 0 … 1; what is below 1 is trust."""
    try:
        weight = float(value)
    except (TypeError, ValueError):
        return value
    return weight / _WEIGHT_PER_TRUST if weight > 1 else weight


_EXPECTED = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


def _meaning(name: str) -> str:
    return FIELDS[name].description or ""


def _refusal(error: ValidationError) -> InvalidInput:
    """What is wrong with which argument, in one sentence."""
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    kind: Any = FIELDS[name].annotation
    expected = _EXPECTED.get(kind, "a list")
    if len(first["loc"]) > 1:
        expected = "a list of whole numbers" if kind == list[int] else "a list of texts"
    shown = redact(json.dumps(first["input"], ensure_ascii=False, default=str))[:60]
    if name in ("fact_id", "fact_ids"):
        return no_id(shown)
    message = f"{FIELDS[name].alias or name} must be {expected}, not {shown}"
    return InvalidInput(message, hint=_meaning(name))
