"""A look over a text before it is kept or shown: orders to a model, secrets, what cannot be seen.

Nothing here blocks or changes a text by itself; the floors above decide what a finding means.
Knows also personal data, by formats that carry a check digit or cannot be mistaken. What must
hold: any text goes in; findings lie within the text and do not overlap within a kind; a shortened
text holds none of its secrets, and shortening it again changes nothing.
"""

import re
from collections.abc import Iterator
from typing import Final

from mnemo.text.findings import Finding, FindingKind, apart
from mnemo.text.injections import injection_findings
from mnemo.text.secrets import redact, secret_findings
from mnemo.text.shown import invisible, neutralise, without_invisible

__all__ = [
    "Finding",
    "FindingKind",
    "neutralise",
    "redact",
    "screen",
    "without_invisible",
]

_EMAIL: Final = (
    r"(?<![A-Za-z0-9._%+/:-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}"
    r"@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9@:])"
)
_PHONE: Final = (
    r"(?<![0-9A-Za-z.+-])(?:(?:\+?86[ -]?)?1[3-9][0-9](?:[ -]?[0-9]{4}){2}"
    r"|\+[1-9][0-9]{0,2}(?:[ .-]?\(?[0-9]{2,4}\)?){2,5}"
    r"|\(?[2-9][0-9]{2}\)?[ -][0-9]{3}-[0-9]{4})(?![0-9A-Za-z-])"
)
_IDENTITY: Final = (
    r"(?<![0-9A-Za-z])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"[0-9]{3}[0-9Xx](?![0-9A-Za-z])"
)
_CARD: Final = r"(?<![0-9A-Za-z.-])[2-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}(?![0-9A-Za-z-])"
_NUMBER_SIGN: Final = re.compile(r"@|[0-9]{3}")


def screen(text: str) -> tuple[Finding, ...]:
    """What in ``text`` is worth a warning, in text order; empty for nothing."""
    found = [
        *apart(injection_findings(text)),
        *apart(secret_findings(text)),
        *_invisible(text),
    ]
    secrets = [f for f in found if f.kind is FindingKind.SECRET]
    if _NUMBER_SIGN.search(text):
        found += [
            personal
            for personal in apart(_personal(text))
            if not any(s.start < personal.end and personal.start < s.end for s in secrets)
        ]
    return tuple(sorted(found))


def _invisible(text: str) -> Iterator[Finding]:
    for start, end in invisible(text):
        yield Finding(start, end, FindingKind.INVISIBLE, "invisible characters", 0.99)


def _personal(text: str) -> Iterator[Finding]:
    for match in re.finditer(_EMAIL, text):
        yield Finding(*match.span(), FindingKind.PERSONAL, "e-mail address", 0.9)
    for match in re.finditer(_IDENTITY, text):
        if _is_identity_number(match.group()):
            yield Finding(*match.span(), FindingKind.PERSONAL, "identity number", 0.95)
    for match in re.finditer(_CARD, text):
        if _is_card_number(re.sub("[ -]", "", match.group())):
            yield Finding(*match.span(), FindingKind.PERSONAL, "card number", 0.8)
    for match in re.finditer(_PHONE, text):
        yield Finding(*match.span(), FindingKind.PERSONAL, "phone number", 0.7)


def _is_identity_number(number: str) -> bool:
    """The check digit of a Chinese identity number (GB 11643, ISO 7064 MOD 11-2)."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(number, weights, strict=False))
    return "10X98765432"[total % 11] == number[17].upper()


def _is_card_number(number: str) -> bool:
    """The check digit of a payment card (Luhn, ISO/IEC 7812)."""
    total = 0
    for at, digit in enumerate(reversed(number)):
        value = int(digit) * (1 + at % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0 and 13 <= len(number) <= 19
