"""A look over a text before it is kept or shown: orders to a model, secrets, what cannot be seen.

Nothing here blocks or changes a text by itself; the floors above decide what a finding means.
Knows also personal data, by formats that carry a check digit or cannot be mistaken. What must
hold: any text goes in; findings lie within the text and do not overlap within a kind; a shortened
text holds none of its secrets, and shortening it again changes nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from mnemo.text.findings import Finding, FindingKind
from mnemo.text.injections import injection_findings, neutralise
from mnemo.text.normal import ZWJ
from mnemo.text.secrets import secret_findings, shortened

__all__ = [
    "Finding",
    "FindingKind",
    "neutralise",
    "redact",
    "screen",
    "without_invisible",
]

# Zero-width and direction characters, separators that break a line unseen, and tag characters,
# which can carry a whole hidden sentence.
_HIDDEN: Final = re.compile(
    "[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]+"
)
_ZWNJ: Final = "\u200c"
_BLACK_FLAG: Final = "\U0001f3f4"
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]+\U000e007f")

_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+/:-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9@:])"
)
_PHONE: Final = re.compile(
    r"(?<![0-9A-Za-z.+-])(?:(?:\+?86[ -]?)?1[3-9][0-9](?:[ -]?[0-9]{4}){2}"
    r"|\+[1-9][0-9]{0,2}(?:[ .-]?\(?[0-9]{2,4}\)?){2,5}"
    r"|\(?[2-9][0-9]{2}\)?[ -][0-9]{3}-[0-9]{4})(?![0-9A-Za-z-])"
)
_IDENTITY: Final = re.compile(
    r"(?<![0-9A-Za-z])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx](?![0-9A-Za-z])"
)
_CARD: Final = re.compile(
    r"(?<![0-9A-Za-z.-])[2-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}(?![0-9A-Za-z-])"
)
_NUMBER_SIGN: Final = re.compile(r"@|[0-9]{3}")


def screen(text: str) -> tuple[Finding, ...]:
    """What in ``text`` is worth a warning, in text order; empty for nothing."""
    found = [
        *_apart(injection_findings(text)),
        *_apart(secret_findings(text)),
        *_invisible(text),
    ]
    secrets = [f for f in found if f.kind is FindingKind.SECRET]
    if _NUMBER_SIGN.search(text):
        found += [
            personal
            for personal in _apart(_personal(text))
            if not any(s.start < personal.end and personal.start < s.end for s in secrets)
        ]
    return tuple(sorted(found))


def _apart(findings: Iterable[Finding]) -> list[Finding]:
    """Of findings that overlap the surest, or else the longest, stays."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda f: (-f.confidence, f.start - f.end, f)):
        if all(finding.end <= other.start or other.end <= finding.start for other in kept):
            kept.append(finding)
    return kept


def redact(text: str) -> str:
    """The text with every secret shortened, as ``sk-…abcd``; personal data stays."""
    while True:
        shorter = _redacted(text)
        if shorter == text:
            return text
        text = shorter


def _redacted(text: str) -> str:
    for finding in sorted(_apart(secret_findings(text)), reverse=True):
        shown = shortened(text[finding.start : finding.end])
        text = text[: finding.start] + shown + text[finding.end :]
    return text


def without_invisible(text: str) -> str:
    """The text without the characters that `screen` calls invisible."""
    kept: list[str] = []
    end = 0
    for finding in _invisible(text):
        kept.append(text[end : finding.start])
        end = finding.end
    return "".join((*kept, text[end:])) if end else text


def _invisible(text: str) -> Iterator[Finding]:
    """Runs of characters that nobody sees, but for those that belong to an emoji or a letter."""
    if text.isascii():
        return
    for match in _HIDDEN.finditer(text):
        start, end = match.span()
        if end - start == 1 and _belongs(text, start):
            continue
        if start and text[start - 1] == _BLACK_FLAG:
            # The flags of England, Scotland and Wales are written with tag characters.
            flag = _TAGS.match(text, start)
            start = flag.end() if flag else start
        if start < end:
            yield Finding(start, end, FindingKind.INVISIBLE, "invisible characters", 0.99)


def _belongs(text: str, at: int) -> bool:
    """Whether a joiner at ``at`` joins an emoji, or shapes a letter of a script that needs it."""
    char = text[at]
    if char not in (ZWJ, _ZWNJ) or not 0 < at < len(text) - 1:
        return False
    before, after = text[at - 1], text[at + 1]
    if char == ZWJ and _is_pictorial(before) and _is_pictorial(after):
        return True
    return _is_shaped(before) and (_is_shaped(after) or char == ZWJ)


def _is_pictorial(char: str) -> bool:
    # A skin tone or a variation selector may stand between an emoji and its joiner.
    return char == "\ufe0f" or unicodedata.category(char) in ("So", "Sk") or char in "\u2640\u2642"


def _is_shaped(char: str) -> bool:
    """Whether a character is of a script in which joiners are part of the spelling."""
    code = ord(char)
    return 0x0600 <= code <= 0x08FF or 0x0900 <= code <= 0x0DFF or 0x1000 <= code <= 0x17FF


def _personal(text: str) -> Iterator[Finding]:
    for match in _EMAIL.finditer(text):
        yield Finding(*match.span(), FindingKind.PERSONAL, "e-mail address", 0.9)
    for match in _IDENTITY.finditer(text):
        if _is_identity_number(match.group()):
            yield Finding(*match.span(), FindingKind.PERSONAL, "identity number", 0.95)
    for match in _CARD.finditer(text):
        if _is_card_number(re.sub("[ -]", "", match.group())):
            yield Finding(*match.span(), FindingKind.PERSONAL, "card number", 0.8)
    for match in _PHONE.finditer(text):
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
