"""The three tools: which actions each has, what each action takes, and their input schemas.

The schemas are made from the one model of arguments: flat, plain, short. Every client and every
model's interface understands an object of plain types; unions, references and titles are what
they stumble over, and an agent pays for each character in every conversation. So an argument is
declared where an agent would look for it, and understood wherever its action is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.arguments import FIELDS, Arguments
from mnemo.enums import Verdict

STORE, RECALL, FEEDBACK = "fact_store", "fact_recall", "fact_feedback"
DEFAULT_ACTION = "search"  # of fact_recall

_NARROWING = (
    "category", "memory_class", "project_id", "min_trust", "limit", "detail", "include_archived",
)  # fmt: skip

# Which arguments each action takes.
TAKES: Mapping[str, tuple[str, ...]] = {
    "add": (
        "content", "contents", "category", "tags", "summary", "summaries", "source", "date",
        "memory_class", "track", "project_id", "dedup",
    ),
    "search": (
        "query", "category", "memory_class", "project_id", "min_trust", "limit", "detail",
        "explain", "include_archived", "auto",
    ),
    "get": ("fact_id", "fact_ids", "content_offset"),
    "list": (
        "category", "memory_class", "project_id", "min_trust", "limit", "offset", "status",
        "include_archived", "q", "pinned",
    ),
    "probe": ("entity", *_NARROWING),
    "related": ("entity", *_NARROWING),
    "reason": ("entity", "entities", *_NARROWING),
    "update": (
        "fact_id", "content", "summary", "tags", "category", "date", "memory_class",
        "project_id", "trust_delta", "clear",
    ),
    "remove": ("fact_id", "fact_ids"),
    "restore": ("fact_id", "fact_ids"),
    "pin": ("fact_id", "fact_ids", "reason"),
    "unpin": ("fact_id", "fact_ids"),
    "learn": ("dry_run",),
    "audit": ("type", "since_days", "fact_id", "actor", "limit", "aggregate", "group_by"),
    "dream": ("dry_run", "plan", "except_", "resume"),
    "undo": ("op", "dry_run", "partial"),
    "redo": ("dry_run", "partial"),
    "events": ("type", "since_days", "fact_id", "actor", "limit", "aggregate", "group_by"),
    "history": ("fact_id",),
    "compare": ("content", "contents", "fact_id", "fact_ids"),
    "status": (),
    **dict.fromkeys(Verdict, ("fact_id", "fact_ids", "query")),
}  # fmt: skip

TOOLS: Mapping[str, tuple[str, ...]] = {
    STORE: tuple(name for name in TAKES if name not in frozenset(Verdict)),
    RECALL: ("search", "get", "list", "probe", "related", "reason"),
    FEEDBACK: tuple(Verdict),
}


# Understood and left out: what programs ask, and what a person who looks closely asks.
_UNDECLARED = frozenset({"actor", "aggregate", "auto", "explain", "group_by", "resume", "track"})


def input_schema(tool: str, *, required: Sequence[str] = (), default: str = "") -> dict[str, Any]:
    """The JSON schema of a tool."""
    actions = TOOLS[tool]
    declared = _declared(tool)
    properties = Arguments.model_json_schema()["properties"]
    for field in properties.values():
        field.pop("title", None)
        field.pop("default", None)
    action = properties["action"] | {"enum": list(actions)}
    if default:
        action |= {"default": default, "description": f"What to do. Default: {default}."}
    return {
        "type": "object",
        "properties": {"action": action}
        | {
            field.alias or name: properties[field.alias or name]
            for name, field in FIELDS.items()
            if name in declared
        },
        "required": list(required),
    }


def _declared(tool: str) -> frozenset[str]:
    """The arguments in the tool's schema. How a recall is narrowed stands in the recall's own."""
    elsewhere = frozenset(TOOLS[RECALL] if tool == STORE else ())
    taken = {name for action in TOOLS[tool] if action not in elsewhere for name in TAKES[action]}
    return frozenset(taken | ({"query"} if tool == STORE else set())) - _UNDECLARED
