"""Keeping an answer within what clients show a model.

Some clients cut a long answer in the middle, some hide it in a file; the tightest known limits are
40 000 characters and 48 000 bytes, and Chinese takes three bytes a character. What does not fit
is left out here, at the end of a list or of a text, and the answer says how to get the rest.
"""

import json
from typing import Any, cast

MAX_CHARS = 36_000
MAX_BYTES = 44_000
CONTENT_CHARS = 12_000  # of one fact in an answer

Answer = dict[str, Any]


def fitted(answer: Answer, *, content_offset: int = 0) -> Answer:
    """The answer, or as much of it as fits, with notes about what was left out."""
    for fact in answer.get("facts", ()):
        _fit_content(fact, content_offset)
    while not _fits(answer):
        name, items = _longest_list(answer)
        if len(items) <= 1:
            return answer
        kept = items[: max(1, len(items) * 3 // 4)]
        answer[name] = kept
        if "count" in answer and name in ("facts", "results"):
            answer["count"] = len(kept)
        answer["notes"] = [
            *(note for note in answer.get("notes", ()) if not note.startswith((name, "more:"))),
            f"{name}: the first {len(kept)} are shown, the rest did not fit{_next(name)}",
        ]
    return answer


def _fit_content(fact: Answer, offset: int) -> None:
    content = fact["content"]
    if len(content) > CONTENT_CHARS:
        fact["content"] = content[:CONTENT_CHARS]
        fact["content_next"] = offset + CONTENT_CHARS


def _next(name: str) -> str:
    return "; ask with offset, a smaller limit or fewer ids" if name == "facts" else ""


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
