"""A text as it may be shown: on one line, with nothing in it that nobody sees or that a terminal
obeys, and, to a model, with no tag that its client could have written.

What is stored stays as it is; only what is shown passes here. Every hit of every search does, so
this room is small and quick.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from mnemo.text.normal import ZWJ

# One line for a list and for a prompt: whatever would break it, or drive a terminal, is a space.
_BREAKING: Final = re.compile(
    "[\\s\x00-\x1f\x7f-\x9f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]+"
)
# Zero-width and direction characters, separators that break a line unseen, tag characters, which
# can carry a whole hidden sentence, and rows of variation selectors, which can as well.
_HIDDEN: Final = re.compile(
    "[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]+"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
)
_ZWNJ: Final = "\u200c"
_BLACK_FLAG: Final = "\U0001f3f4"
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]+\U000e007f")

# The tags that a client itself sets around what it tells a model.
CHAT_TAGS: Final = (
    r"</?(?:system[-_]reminder|memory[-_]context|system[-_]prompt|system)\b[^<>\n]{0,80}>"
    r"|<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id)\|>"
    r"|<</?SYS>>"
)
_ANGLES: Final = str.maketrans("<>", "‹›")


def one_line(text: str) -> str:
    """The text on one line, without characters that would break it, drive a terminal or hide."""
    return without_invisible(_BREAKING.sub(" ", text)).strip()


def for_a_model(text: str) -> str:
    """The text on one line, with no tag in it that a model could take for its client's own."""
    return neutralise(one_line(text))


def neutralise(text: str) -> str:
    """The text with the tags of chat formats in angle quotes (‹system-reminder›), where they are
    read as words and not as the client's own.
    """
    if "<" not in text:
        return text
    return re.sub(CHAT_TAGS, lambda tag: tag.group().translate(_ANGLES), text, flags=re.IGNORECASE)


def without_invisible(text: str) -> str:
    """The text without the characters that `invisible` finds."""
    kept: list[str] = []
    end = 0
    for start, stop in invisible(text):
        kept.append(text[end:start])
        end = stop
    return "".join((*kept, text[end:])) if end else text


def invisible(text: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each run of characters that nobody sees, but for those that belong to an
    emoji or a letter.
    """
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
            yield start, end


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
