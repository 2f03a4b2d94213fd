"""The tools' actions: which there are, what each needs, and the one call that it makes.

An action reads its arguments, asks `Memory` once and hands back plain JSON values. It knows
nothing of a protocol: what it refuses is a `MnemoError`, as everywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemo.arguments import FIELDS, Arguments, read_arguments
from mnemo.enums import Detail, Verdict
from mnemo.errors import InvalidInput, MnemoError
from mnemo.memory import Memory, Narrowing
from mnemo.models import Reply
from mnemo.replies import fitted
from mnemo.text.normal import cut
from mnemo.text.secrets import redact
from mnemo.tools import DEFAULT_ACTION, RECALL, TAKES, TOOLS
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit

MAX_ITEMS = 200
_MESSAGE_CHARS = 1_000  # of a refusal, which may repeat what was given

Answer = dict[str, Any]


def call(
    memory: Memory, tool: str, raw: Mapping[str, Any], *, fit: bool = False, typed: bool = False
) -> Answer:
    """The answer of a tool to these arguments, as plain JSON values.

    With ``fit`` it is kept within what clients show; ``typed`` words are a person's own.
    Raises MnemoError for what is refused.
    """
    arguments, warnings = read_arguments(raw, typed=typed)
    action = _action(tool, arguments)
    answer = ACTIONS[action](memory, arguments)
    if warnings := [*warnings, *_unused(action, arguments)]:
        answer["warnings"] = [*answer.get("warnings", ()), *warnings]
    if not fit:
        return answer
    return fitted(
        answer,
        content_offset=arguments.content_offset,
        offset=arguments.offset if action == "list" else None,
    )


def error_answer(error: MnemoError) -> Answer:
    """A refusal as plain JSON values; secrets in it are shortened."""
    return {"error": cut(redact(error.message), _MESSAGE_CHARS), "hint": redact(error.hint)}


def _unused(action: str, arguments: Arguments) -> list[str]:
    """A warning where the action does not look at something that was given."""
    unused = [
        name
        for name in sorted(arguments.given - {"action", *TAKES[action]})
        if getattr(arguments, name) != FIELDS[name].get_default(call_default_factory=True)
    ]
    return [f"{action} takes no {', '.join(unused)}: ignored"] if unused else []


def _action(tool: str, arguments: Arguments) -> str:
    allowed = TOOLS[tool]
    name = arguments.action or (DEFAULT_ACTION if tool == RECALL else "")
    name = {"query": "search"}.get(name, name)
    if name not in allowed:
        said = f"{tool} has no action {name!r}" if name else f"{tool} needs an action"
        raise InvalidInput(said, hint=f"allowed: {', '.join(allowed)}")
    return name


# -- writing ------------------------------------------------------------------------------


def _add(memory: Memory, a: Arguments) -> Answer:
    contents = _several(a, "contents", "content", "add")
    facts = [
        NewFact(
            content=content,
            category=a.category,
            tags=a.tags,
            summary=summary,
            source=a.source,
            date=a.date,
            memory_class=a.memory_class,
            track=a.track,
            project_id=a.project_id,
            dedup=a.dedup,
        )
        for content, summary in zip(contents, _summaries(a, len(contents)), strict=True)
    ]
    return _answers(memory.add(*facts), one=not a.contents)


def _summaries(a: Arguments, count: int) -> list[str]:
    """One summary a statement; a single one belongs to a single statement."""
    given = a.summaries or ([a.summary] if a.summary else [""] * count)
    if len(given) != count:
        raise InvalidInput(
            f"{len(given)} summaries were given for {count} statements; nothing was stored",
            hint="give summaries in the order of contents, blank where there is none",
        )
    return given


def _update(memory: Memory, a: Arguments) -> Answer:
    fact_id = _needed(a, "fact_id", "update")
    # An empty value is what clients write that fill every field in; `clear` empties a field.
    edit = Edit(**{name: value for name in _EDITABLE if (value := getattr(a, name))})
    return memory.update(fact_id, edit).as_json()


_EDITABLE = (
    "content", "summary", "tags", "category", "date", "memory_class", "project_id",
    "trust_delta", "clear",
)  # fmt: skip


def _remove(memory: Memory, a: Arguments) -> Answer:
    return _answers(memory.remove(*_ids(a, "remove")), one=not a.fact_ids)


def _restore(memory: Memory, a: Arguments) -> Answer:
    return _answers(memory.restore(*_ids(a, "restore")), one=not a.fact_ids)


def _pin(memory: Memory, a: Arguments) -> Answer:
    return _answers(memory.pin(*_ids(a, "pin"), reason=a.reason), one=not a.fact_ids)


def _unpin(memory: Memory, a: Arguments) -> Answer:
    return _answers(memory.unpin(*_ids(a, "unpin")), one=not a.fact_ids)


def _helpful(memory: Memory, a: Arguments) -> Answer:
    return _feedback(memory, a, Verdict.HELPFUL)


def _unhelpful(memory: Memory, a: Arguments) -> Answer:
    return _feedback(memory, a, Verdict.UNHELPFUL)


def _feedback(memory: Memory, a: Arguments, verdict: Verdict) -> Answer:
    answers = memory.feedback(verdict, *_ids(a, verdict), query=a.query)
    return _answers(answers, one=not a.fact_ids)


# -- asking -------------------------------------------------------------------------------


def _search(memory: Memory, a: Arguments) -> Answer:
    return memory.search(
        _needed(a, "query", "search"),
        category=a.category,
        memory_class=a.memory_class,
        project_id=a.project_id,
        detail=_detail(a.detail),
        explain=a.explain,
        include_archived=a.include_archived,
        auto=a.auto,
        **_given(a, "min_trust", "limit"),
    ).as_json()


def _detail(name: str) -> Detail:
    try:
        return Detail(name or Detail.COMPACT)
    except ValueError:
        raise InvalidInput(
            f"there is no detail {name!r}", hint=f"allowed: {', '.join(Detail)}"
        ) from None


def _get(memory: Memory, a: Arguments) -> Answer:
    return memory.get(*_ids(a, "get"), content_offset=a.content_offset).as_json()


def _list(memory: Memory, a: Arguments) -> Answer:
    return memory.list(
        category=a.category,
        memory_class=a.memory_class,
        project_id=a.project_id,
        include_archived=a.include_archived,
        text=a.q,
        pinned=a.pinned,
        **_given(a, "min_trust", "limit", "offset", "status"),
    ).as_json()


def _probe(memory: Memory, a: Arguments) -> Answer:
    return memory.probe(_needed(a, "entity", "probe"), **_narrowing(a)).as_json()


def _related(memory: Memory, a: Arguments) -> Answer:
    return memory.related(_needed(a, "entity", "related"), **_narrowing(a)).as_json()


def _reason(memory: Memory, a: Arguments) -> Answer:
    names = _several(a, "entities", "entity", "reason")
    return memory.reason(names, **_narrowing(a)).as_json()


def _narrowing(a: Arguments) -> Narrowing:
    given = _given(
        a, "category", "memory_class", "project_id", "min_trust", "limit", "include_archived"
    )
    return Narrowing(**given, detail=_detail(a.detail))


# -- upkeep -------------------------------------------------------------------------------


def _learn(memory: Memory, a: Arguments) -> Answer:
    return memory.learn(dry_run=a.dry_run).as_json()


def _audit(memory: Memory, a: Arguments) -> Answer:
    """The quality report; asked about events, as in the second ancestor, those as well."""
    report = memory.audit().as_json()
    return report | (_events(memory, a) if a.given & set(TAKES["audit"]) else {})


def _dream(memory: Memory, a: Arguments) -> Answer:
    return memory.dream(
        dry_run=a.dry_run, plan=a.plan, except_=a.except_, resume=a.resume
    ).as_json()


def _undo(memory: Memory, a: Arguments) -> Answer:
    return memory.undo(a.op, dry_run=a.dry_run, partial=a.partial).as_json()


def _redo(memory: Memory, a: Arguments) -> Answer:
    return memory.redo(dry_run=a.dry_run, partial=a.partial).as_json()


def _events(memory: Memory, a: Arguments) -> Answer:
    return memory.events(
        action=a.type,
        **_given(a, "since_days", "fact_id", "actor", "limit", "aggregate", "group_by"),
    ).as_json()


def _history(memory: Memory, a: Arguments) -> Answer:
    return memory.history(_needed(a, "fact_id", "history")).as_json()


def _compare(memory: Memory, a: Arguments) -> Answer:
    several = ("fact_ids", "fact_id") if a.given & {"fact_ids", "fact_id"} else None
    if several and a.given & {"contents", "content"}:
        raise InvalidInput("compare was given texts and ids", hint="give two texts, or two ids")
    items = _several(a, *(several or ("contents", "content")), "compare")
    if len(items) != 2:
        raise InvalidInput(
            f"compare takes two, not {len(items)}",
            hint="give two texts, or two ids",
        )
    return memory.compare(*items).as_json()


def _status(memory: Memory, _: Arguments) -> Answer:
    return memory.status().as_json()


# -- the table ----------------------------------------------------------------------------

ACTIONS: Mapping[str, Callable[[Memory, Arguments], Answer]] = {
    "add": _add,
    "search": _search,
    "get": _get,
    "list": _list,
    "probe": _probe,
    "related": _related,
    "reason": _reason,
    "update": _update,
    "remove": _remove,
    "restore": _restore,
    "pin": _pin,
    "unpin": _unpin,
    "learn": _learn,
    "audit": _audit,
    "dream": _dream,
    "undo": _undo,
    "redo": _redo,
    "events": _events,
    "history": _history,
    "compare": _compare,
    "status": _status,
    "helpful": _helpful,
    "unhelpful": _unhelpful,
}

# -- one or several -----------------------------------------------------------------------


def _ids(a: Arguments, action: str) -> list[int]:
    return _several(a, "fact_ids", "fact_id", action)


def _several(a: Arguments, many: str, one: str, action: str) -> list[Any]:
    """The items of the field for several, else the one of the field for one."""
    if many not in a.given:
        return [_needed(a, one, action)]
    items = [*([getattr(a, one)] if one in a.given else []), *getattr(a, many)]
    if not items:
        raise InvalidInput(f"{many} is empty", hint=f"give {one}, or one or more in {many}")
    if len(items) > MAX_ITEMS:
        raise InvalidInput(
            f"{len(items)} items are too many; nothing was done",
            hint=f"give at most {MAX_ITEMS} in one call",
        )
    return items


def _needed(a: Arguments, name: str, action: str) -> Any:
    if name in a.given:
        return getattr(a, name)
    if name == "fact_id" and a.fact_ids:
        raise InvalidInput(f"{action} takes one fact at a time", hint="give one id")
    if name == "entity" and a.entities:
        raise InvalidInput(
            f"{action} takes one name at a time", hint="give entity, or ask reason for several"
        )
    raise InvalidInput(f"{action} needs {name}", hint=f"give {name}")


def _given(a: Arguments, *names: str) -> dict[str, Any]:
    return {name: getattr(a, name) for name in names if name in a.given}


def _answers(answers: Sequence[Reply | MnemoError], *, one: bool) -> Answer:
    """One answer as it is, several as a list in which each is its own reply or error."""
    if one:
        [answer] = answers
        if isinstance(answer, MnemoError):
            raise answer
        return answer.as_json()
    results = [
        error_answer(answer) if isinstance(answer, MnemoError) else answer.as_json()
        for answer in answers
    ]
    return {"results": results, "count": len(results)}
