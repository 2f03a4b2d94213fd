"""What a look over a statement finds, as flags that stay with the fact and sentences for the reply.

Nothing is refused and no text is changed: a door code may be worth remembering, and a note about
an attack is no attack. What must hold: flags say what the fact holds now, in every text that a
person gave it; a sentence names what was found and where, and never repeats it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mnemo.enums import QualityGate, Secrets
from mnemo.models import Fact
from mnemo.text.screen import Finding, FindingKind, screen
from mnemo.text.secrets import shortened

# The texts of a fact that somebody gives it, as they are called in a reply.
_TEXTS = {
    "content": "content",
    "summary": "summary",
    "tags": "tags",
    "source_ref": "source",
    "project_id": "project_id",
}
_KINDS = frozenset(map(str, FindingKind))
_NAMED = 3  # findings of a kind in one text that a sentence names


@dataclass(frozen=True, slots=True)
class Scrutiny:
    """How closely a statement is looked at; a name of `Secrets` and one of `QualityGate`."""

    secrets: str = Secrets.WARN
    gate: str = QualityGate.HINT


SCRUTINY = Scrutiny()


@dataclass(frozen=True, slots=True)
class Screened:
    """What was found in the texts of a fact; ``flags`` as they are stored."""

    flags: str = "[]"
    warnings: tuple[str, ...] = ()


def screened(texts: Mapping[str, Any], *, secrets: str = Secrets.WARN) -> Screened:
    """What is found in the columns that hold a text; with ``secrets`` off, no secret and nothing
    personal is looked for.
    """
    unsought = () if secrets == Secrets.WARN else (FindingKind.SECRET, FindingKind.PERSONAL)
    kinds: set[FindingKind] = set()
    warnings: list[str] = []
    for column, name in _TEXTS.items():
        text = str(texts.get(column) or "")
        found = [finding for finding in screen(text) if finding.kind not in unsought]
        kinds.update(finding.kind for finding in found)
        warnings += _sentences(name, text, found)
    return Screened(json.dumps(sorted(kinds)), tuple(warnings))


def with_flags(
    fact: Fact, columns: Mapping[str, Any], *, secrets: str = Secrets.WARN
) -> dict[str, Any]:
    """The columns, and the flags of the fact as it is once they are set, where these change.

    Flags that another program set stay.
    """
    if columns.keys().isdisjoint(_TEXTS):
        return dict(columns)
    stored = {name: getattr(fact, name) for name in _TEXTS} | {"tags": ",".join(fact.tags)}
    found = json.loads(screened(stored | dict(columns), secrets=secrets).flags)
    flags = json.dumps([*found, *(flag for flag in fact.flags if flag not in _KINDS)])
    return dict(columns) | ({} if flags == json.dumps(fact.flags) else {"flags": flags})


def _sentences(name: str, text: str, findings: Sequence[Finding]) -> Iterator[str]:
    ordered = sorted(findings, key=lambda f: (f.kind, f.start))
    for kind, several in groupby(ordered, key=lambda f: f.kind):
        found = list(several)
        yield f"{name} {_SAID[kind].format(_named(text, found))}"


_SAID = {
    FindingKind.SECRET: (
        "holds what looks like a secret ({}): it is stored as given; update the fact without it or "
        "remove it; the journal keeps it until mnemo purge erases the fact"
    ),
    FindingKind.PERSONAL: (
        "holds what looks personal ({}): it is stored as given, on this machine alone"
    ),
    FindingKind.INJECTION: (
        "reads like an order to a model ({}): it is stored as given, flagged, and told as data, "
        "never to be followed"
    ),
    FindingKind.INVISIBLE: (
        "holds characters that nobody sees ({}): they are stored as given and left out where the "
        "fact is shown"
    ),
}


def _named(text: str, found: Sequence[Finding]) -> str:
    names = list(dict.fromkeys(_name(text, finding) for finding in found))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _name(text: str, finding: Finding) -> str:
    where = f"from character {finding.start + 1} on"
    match finding.kind:
        case FindingKind.SECRET:
            return f"{finding.label} {shortened(text[finding.start : finding.end])}"
        case FindingKind.PERSONAL:
            return finding.label
        case FindingKind.INJECTION:
            return f"{finding.label}, {where}"
        case FindingKind.INVISIBLE:
            return f"U+{ord(text[finding.start]):04X}, {where}"
