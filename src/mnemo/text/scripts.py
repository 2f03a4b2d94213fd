"""The characters of the scripts that are written without spaces, for use within `[…]`.

Knows code points and nothing else. What must hold: a range stands here once, so that no two rooms
can take the same character for different things.
"""

from typing import Final

_HAN: Final = (
    (0x3005, 0x3005),
    (0x3007, 0x3007),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)
HAN: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in _HAN)
KANA: Final = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL: Final = "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
# Thai, Lao, Tibetan, Burmese and Khmer.
OTHER_UNSPACED: Final = "\u0e01-\u0e5b\u0e81-\u0edf\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd"


def han_without(chars: str) -> str:
    """HAN but for some characters: a class of its own is faster than looking ahead each time."""
    found: list[str] = []
    for start, last in _HAN:
        first = start
        for code in sorted(ord(char) for char in set(chars)):
            if first <= code <= last:
                if first < code:
                    found.append(f"{chr(first)}-{chr(code - 1)}")
                first = code + 1
        if first <= last:
            found.append(f"{chr(first)}-{chr(last)}")
    return "".join(found)
