"""Whether a statement reads like one short fact: what a hint says of it, where it does not.

Pure. A hint costs an agent attention, so two strong signs of different kinds are needed before a
text counts as being about several things: a word such as "password" or "nginx" is none, an address
or an install command is one. What the user prefers or decided is one thing however many tools it
names. What must hold: no hint about a single topic, and the same verdict for the same text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemo.enums import MemoryClass, QualityGate
from mnemo.errors import InvalidInput
from mnemo.text.secrets import secret_findings
from mnemo.writing.classes import infer_class

SHORT_CHARS: Final = 300  # beyond it a text without a summary loses rank


@dataclass(frozen=True, slots=True)
class _Sign:
    name: str
    shape: str


# Strong signs, a kind each.
_SIGNS: Final[Mapping[str, _Sign]] = {
    "access": _Sign(
        "an address",
        r"(?<![\w.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![\w.]*[0-9])",
    ),
    "infrastructure": _Sign(
        "how services run",
        r"(?i:docker[ -]?compose|\bkubernetes\b|\bk8s\b|\bhelm (?:chart|install|upgrade))",
    ),
    "packages": _Sign(
        "how packages are installed",
        r"(?i:\b(?:npm|pnpm|yarn|bun)[ ](?:i|ci|add|install|run)\b"
        r"|\b(?:pip3?|uv[ ]pip|conda|poetry)[ ](?:install|add)\b)",
    ),
    "project": _Sign("how a project is laid out", r"部署架构|环境变量优先级|文件结构|目录结构"),
}
_SERVICE_PORT: Final = (
    r"[A-Za-z][\w.-]{1,30}(?:[ ]?[:：][ ]?(?:port[ ])?|[ ](?:on|at)[ ]port[ ]|[ ]?端口[:：]?[ ]?)"
    r"(?!(?:19|20)[0-9]{2}(?![0-9]))[1-9][0-9]{3,4}(?![0-9:：.-])"
)
_VERSIONED_COMPOSE: Final = r"(?i:docker[ -]compose[ ]v?[0-9])"
# A folder that somebody works in, not one that belongs to a program or to everybody.
_FOLDER: Final = (
    r"(?:/home|/Users)/[^/\s]+/(?!\.|dotfiles|bin/|Desktop|Documents|Downloads|Pictures|Music)"
    r"[^/\s]+/|/opt/[^/\s]+/[^/\s]+/"
)
_LISTED_SERVICES: Final = 2
_OWN_CHOICE: Final = (MemoryClass.USER_PREFERENCE, MemoryClass.USER_DECISION)


@dataclass(frozen=True, slots=True)
class Flaw:
    """A way in which a statement does not read like one short fact, and what helps."""

    what: str
    advice: str


def flaws_of(content: str, *, summary: str | None, project_id: str | None) -> tuple[Flaw, ...]:
    """What keeps the content from reading like one short fact."""
    flaws: list[Flaw] = []
    if len(content) > SHORT_CHARS and not summary:
        flaws.append(
            Flaw(
                f"content has {len(content)} characters; beyond {SHORT_CHARS} a fact without a "
                "summary ranks lower",
                "give a summary, or split it into several facts",
            )
        )
    if infer_class(content) in _OWN_CHOICE:
        return tuple(flaws)
    topics = _topics(content)
    if len(topics) > 1:
        flaws.append(
            Flaw(
                f"content speaks of several things ({', '.join(topics)})",
                "a fact for each is found and changed more easily",
            )
        )
    elif not project_id and (detail := _project_detail(content)):
        flaws.append(
            Flaw(
                f"content holds {detail}",
                "name its project with project_id, or keep it in the project's own documents",
            )
        )
    return tuple(flaws)


def hints_about(flaws: Sequence[Flaw], gate: str) -> tuple[str, ...]:
    """A hint for each flaw, none where the gate is off.

    Raises InvalidInput for the first where the gate rejects.
    """
    if flaws and gate == QualityGate.REJECT:
        raise InvalidInput(
            f"{flaws[0].what}; nothing was stored",
            hint=f"{flaws[0].advice}; with quality_gate at hint it is stored all the same",
        )
    return tuple(f"{f.what}: {f.advice}" for f in flaws) if gate == QualityGate.HINT else ()


def _topics(content: str) -> list[str]:
    found = [sign.name for sign in _SIGNS.values() if re.search(sign.shape, content)]
    if _SIGNS["access"].name not in found and any(secret_findings(content)):
        found.insert(0, "a secret")
    return found


def _project_detail(content: str) -> str:
    if re.search(_FOLDER, content):
        return "a project's folder"
    services = {match.lower() for match in re.findall(_SERVICE_PORT, content)}
    if len(services) >= _LISTED_SERVICES:
        return "a list of services and their ports"
    if re.search(_VERSIONED_COMPOSE, content):
        return "the version of a project's Docker Compose"
    return ""
