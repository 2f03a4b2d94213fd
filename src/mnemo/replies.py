"""Keeping an answer within what clients show a model.

Some clients cut a long answer in the middle, some hide it in a file; most begin at 40 000
characters or 48 000 bytes (`docs/clients.md`), and Chinese takes three bytes a character. What
does not fit is left out here, at the end of a list or of a text, and the answer says how to get
the rest.
"""

import json
from collections.abc import Iterator
from typing import Any, cast

MAX_CHARS = 36_000
MAX_BYTES = 44_000
CONTENT_CHARS = 12_000  # of one fact in an answer
_NEVER_CUT_CHARS = 200

Answer = dict[str, Any]


def fitted(answer: Answer, *, content_offset: int = 0, offset: int | None = 0) -> Answer:
    """The answer, or as much of it as fits, with notes about what was left out.

    ``content_offset`` says where its contents begin, ``offset`` where its facts begin in the
    whole list, if it is a page of one.
    """
    for fact in _facts(answer):
        _fit_content(fact, content_offset)
    while not _fits(answer):
        name, items = _longest_list(answer)
        if name == "results" and _shorten_results(answer, items):
            continue
        if len(items) > 1:
            _shorten_list(answer, name, items, offset)
        elif not _shorten_text(answer, content_offset):
            break
    if any("content_next" in fact for fact in _facts(answer)):
        _note(answer, "a long content goes on: get it with content_offset = its content_next")
    return answer


def _facts(answer: Answer) -> Iterator[Answer]:
    for name in ("facts", "results"):
        if isinstance(answer.get(name), list):
            # An answer about many facts may name no more than their ids.
            items = cast("list[Any]", answer[name])
            yield from (cast("Answer", item) for item in items if isinstance(item, dict))


def _fit_content(fact: Answer, offset: int) -> None:
    content = fact.get("content", "")
    if len(content) > CONTENT_CHARS:
        fact["content"] = content[:CONTENT_CHARS]
        fact["content_next"] = offset + CONTENT_CHARS


def _shorten_list(answer: Answer, name: str, items: list[Any], offset: int | None) -> None:
    kept = items[: max(1, len(items) * 3 // 4)]
    answer[name] = kept
    if "count" in answer and name in ("facts", "results"):
        answer["count"] = len(kept)
    answer["notes"] = [n for n in answer.get("notes", ()) if not n.startswith((name, "more:"))]
    _note(answer, f"{name}: the first {len(kept)} are shown, the rest did not fit")
    if name == "facts":
        more = "ask for fewer ids" if offset is None else f"offset={offset + len(kept)}"
        _note(answer, f"more: {more}")


# What is told of each item of a call for many, where the whole does not fit.
_TOLD_OF_AN_ITEM = ("fact_id", "status", "removed", "restored", "newTrust")


def _shorten_results(answer: Answer, items: list[Answer]) -> bool:
    """Tell of every item what became of it and no more; False where that is so already."""
    short = [
        {"error": item["error"][:_NEVER_CUT_CHARS]}
        if "error" in item
        else {key: item[key] for key in _TOLD_OF_AN_ITEM if key in item} or item
        for item in items
    ]
    if short == items:
        return False
    answer["results"] = short
    _note(answer, "the items are told in short: the whole did not fit")
    return True


def _shorten_text(answer: Answer, content_offset: int) -> bool:
    """Halve the longest text; False where none is long."""
    found = list(_texts(answer)) or [(answer, "", "")]
    holder, key, text = max(found, key=lambda place: len(place[2]))
    if len(text) <= _NEVER_CUT_CHARS:
        return False
    kept = text[: len(text) // 2]
    if key == "content":
        holder |= {"content": kept, "content_next": content_offset + len(kept)}
    else:
        holder[key] = f"{kept}…"
        _note(answer, "texts that did not fit are cut and end in …")
    return True


def _texts(value: Any) -> Iterator[tuple[Any, Any, str]]:
    """Every text within, with what holds it and under which key."""
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = list(cast("Answer", value).items())
    elif isinstance(value, list):
        pairs = list(enumerate(cast("list[Any]", value)))
    for key, inner in pairs:
        if isinstance(inner, str):
            yield value, key, inner
        else:
            yield from _texts(inner)


def _note(answer: Answer, note: str) -> None:
    answer["notes"] = [*(n for n in answer.get("notes", ()) if n != note), note]


def _fits(answer: Answer) -> bool:
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    # Most answers are short: their bytes need not be counted.
    return len(text) <= MAX_BYTES // 4 or (
        len(text) <= MAX_CHARS and len(text.encode("utf-8", "replace")) <= MAX_BYTES
    )


def _longest_list(answer: Answer) -> tuple[str, list[Any]]:
    lists = {
        name: cast("list[Any]", value) for name, value in answer.items() if isinstance(value, list)
    }
    if not lists:
        return "", []
    name = max(lists, key=lambda name: len(json.dumps(lists[name], ensure_ascii=False)))
    return name, lists[name]
