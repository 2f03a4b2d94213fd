"""The tokens of a word without joints: its stem, its humps, what an apostrophe joins.

Knows English endings and contractions, and how programmers join words; refuses to know what parts
a text. Words of other alphabets go through as they are, folded. What must hold: a stem does not
depend on what else is installed.
"""

import re
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Final

from mnemo.text import normal
from mnemo.text.stopwords import NEGATORS, STOP_WORDS

MAX_TOKEN: Final = 64  # code points; a longer one is a blob that nobody types
_MARK: Final = 17  # code points at its end that tell it from other blobs

APOSTROPHES: Final = "'\u2019\u02bc"


def as_token(text: str) -> str:
    """Return a text without white space as a token: folded, and cut and marked if too long."""
    token = normal.fold(text)
    if len(token) <= MAX_TOKEN:
        return token
    from hashlib import blake2b  # off the start-up path: loads OpenSSL

    mark = blake2b(token.encode(), digest_size=8).hexdigest()
    return f"{token[: MAX_TOKEN - _MARK]}-{mark}"


# "userID" has two humps, "URLs" has one.
_HUMPS: Final = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MANY_HUMPS: Final = 12
ORDINAL: Final = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_ENDINGS: Final = frozenset({"s", "re", "ve", "ll", "d", "m"})
_DENIED: Final = {"ca": "can", "wo": "will", "sha": "shall"}
_RUN_TOGETHER: Final = {
    f"{verb}nt": (_DENIED.get(verb, verb), "not")
    for verb in "do does did is are was were have has had ca wo could should would".split()
} | {"cannot": ("can", "not")}


def word_tokens(word: str) -> tuple[str, ...]:
    """Return the tokens of a word without joints, its case kept: "getUserID" also as its humps."""
    return _known_word_tokens(word) if len(word) <= MAX_TOKEN else _word_tokens(word)


def _word_tokens(word: str) -> tuple[str, ...]:
    if not word.isascii() or "'" in word:
        word = _without_apostrophe(word)
        if " " in word:
            return tuple(token for part in word.split() for token in word_tokens(part))
    lower = as_token(word)
    if lower in _RUN_TOGETHER:
        return _RUN_TOGETHER[lower]
    if ordinal := ORDINAL.fullmatch(lower):
        return (lower, ordinal[1])
    whole = _stem(lower)
    if not word.isascii() or word.isdigit() or (word.isalpha() and word[1:].islower()):
        return (whole,)
    humps = _HUMPS.findall(word[:MAX_TOKEN])
    if not 1 < len(humps) <= _MANY_HUMPS or _is_code(humps):
        return (whole,)
    return (whole, *(_stem(h.lower()) for h in humps if len(h) > 1 or h.isdigit()))


_known_word_tokens: Final = lru_cache(maxsize=1 << 15)(_word_tokens)


def _is_code(humps: list[str]) -> bool:
    """Return whether a word is a key or a hash, whose parts mean nothing."""
    return len(humps) > 3 and sum(hump.isdigit() for hump in humps) > 1


def _without_apostrophe(word: str) -> str:
    """Return "Alice's" as "Alice", "don't" as "do not", "O'Brien" as "OBrien Brien"."""
    for mark in APOSTROPHES[1:]:
        word = word.replace(mark, "'")
    head, _, ending = word.rpartition("'")
    if not head:
        return word
    lower = ending.lower()
    if lower == "t" and head[-1] in "nN":
        verb = head[:-1]
        return f"{_DENIED.get(verb.lower(), verb)} not"
    if lower in _ENDINGS:
        word = head
    parts = [part for part in word.split("'") if part]
    if len(parts) < 2:
        return "".join(parts)
    return " ".join(("".join(parts).lower(), *(part for part in parts if len(part) > 1)))


def _stem(word: str) -> str:
    """Return the stem of a plain English word; anything else, function words too, as it is."""
    if not (word.isascii() and word.isalpha()) or word in STOP_WORDS or word in NEGATORS:
        return word
    with _stemming:
        return _stemmer()(word)


# A stemmer keeps the word that it works on in itself.
_stemming: Final = Lock()


@cache
def _stemmer() -> Callable[[str], str]:
    # The package's own module imports thirty other languages, and prefers PyStemmer, whose version
    # nobody here chose. Its English module is imported under a name of ours instead.
    spec = find_spec("snowballstemmer")
    package = ModuleType("_mnemo_snowball")
    package.__path__ = list(spec.submodule_search_locations or ()) if spec else []
    sys.modules[package.__name__] = package
    return import_module("_mnemo_snowball.english_stemmer").EnglishStemmer().stemWord


def stemmer_name() -> str:
    """Return a name for the stemmer in use, without importing it."""
    spec = find_spec("snowballstemmer")
    if spec is None or spec.origin is None:
        return "none"
    return f"english-{(Path(spec.origin).parent / 'english_stemmer.py').stat().st_size}"
