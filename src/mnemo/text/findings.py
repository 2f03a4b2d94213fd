"""What a look over a text may find: the value that the screening rooms hand to one another."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class FindingKind(StrEnum):
    """What about a text is worth a warning."""

    INJECTION = "injection"
    SECRET = "secret"
    INVISIBLE = "invisible"
    PERSONAL = "personal"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something at ``text[start:end]``: its kind, a short name for it, and how sure it is (0–1).

    The label never holds what was found.
    """

    start: int
    end: int
    kind: FindingKind
    label: str
    confidence: float


def apart(findings: Iterable[Finding]) -> list[Finding]:
    """Of findings that overlap the surest, or else the longest."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda f: (-f.confidence, f.start - f.end, f)):
        if all(finding.end <= other.start or other.end <= finding.start for other in kept):
            kept.append(finding)
    return kept
