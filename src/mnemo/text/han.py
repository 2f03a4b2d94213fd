"""Chinese words: jieba's segmentation over a dictionary that is mapped, not loaded.

jieba keeps half a million entries in a `dict` that takes most of a second and sixty megabytes to
fill. Here the same dictionary is one file: a marisa trie of its words, then the weight of each.
The words that come out are jieba's own, hidden Markov model included. Refuses to know what a token
is. What must hold: nothing of jieba is imported before the first run of Han characters; nothing is
printed, logged or warned; nothing is written outside the given folder, nor read outside it and
jieba's own package; a missing library or folder changes speed, never words.
"""

import os
import re
import struct
import sys
import threading
import warnings
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from math import log
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, cast

# A run without any punctuation that is longer than this is segmented piece by piece: jieba's
# model copies its path at every character, which takes minutes on a hundred thousand of them.
_PIECE: Final = 1000

_NO_DICTIONARY: Final = "none"

# The file: the trie as marisa writes it, one double a word and one for unknown characters, one
# letter a word for its class (a capital for what has a name of its own), then this trailer: magic,
# bytes of the trie, number of words, longest word, CRC-32 of all before.
_TRAILER: Final = struct.Struct("=8sQQII")
_MAGIC: Final = b"mnemo-2\n"

# The dictionary tags proper nouns as nouns of a kind: nr a person, ns a place, nt a body of people,
# nz another name. The kind is kept as the capital of its letter.
_NAMES: Final = frozenset({"R", "S", "T", "Z"})


class _Segmenter(NamedTuple):
    """What is asked: the words of a run, and what kind of word one is ("": none)."""

    cut: Callable[[str], list[str]]
    word_class: Callable[[str], str]


class _Loader:
    """Makes the segmenter when it is first asked for, once, whichever thread asks."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._lock = threading.Lock()
        self._segmenter: _Segmenter | None = None

    def segmenter(self) -> _Segmenter:
        if self._segmenter is None:
            with self._lock:
                if self._segmenter is None:
                    self._segmenter = _loaded(self.folder)
        return self._segmenter


_loader: Final = _Loader()


def keep_dictionary_in(folder: Path) -> None:
    """Let the mapped dictionary be kept in `folder`, which is made when it is first needed."""
    _loader.folder = folder


def cut(run: str) -> list[str]:
    """Return the words of a run of Han characters; joined, they are the run.

    The same as `jieba.Tokenizer().lcut(run)`; nothing where jieba is not installed.
    """
    return list(_words(run))


def cut_for_search(run: str) -> list[str]:
    """Return the words of a run of Han characters, each after the shorter words within it.

    The same as `jieba.Tokenizer().lcut_for_search(run)`; nothing where jieba is not installed.
    """
    known = _loader.segmenter().word_class
    words: list[str] = []
    for word in _words(run):
        for size in range(2, min(len(word), 4)):
            grams = (word[at : at + size] for at in range(len(word) - size + 1))
            words.extend(gram for gram in grams if known(gram))
        words.append(word)
    return words


# One text is cut for the index, for telling twins and for names, one after the other.
@lru_cache(maxsize=512)
def _words(run: str) -> tuple[str, ...]:
    cut = _loader.segmenter().cut
    pieces = (run[at : at + _PIECE] for at in range(0, len(run), _PIECE))
    return tuple(word for piece in pieces for word in cut(piece))


def word_class(word: str) -> str:
    """Return the first letter of the dictionary's tag: "n" noun, "v" verb, "p" preposition, ….

    "" for what the dictionary does not hold, such as a name that the model put together.
    """
    letter = _loader.segmenter().word_class(word)
    return "n" if letter in _NAMES else letter


def name_class(word: str) -> str:
    """Return what the dictionary takes a proper noun for: "r" a person, "s" a place, "t" a body of
    people, "z" another name; "" for any other word.

    The dictionary was made from running text by machine: a hint, never a proof.
    """
    letter = _loader.segmenter().word_class(word)
    return letter.lower() if letter in _NAMES else ""


@cache
def dictionary_name() -> str:
    """Return a name for jieba's dictionary, as "jieba-0.42.1-5071852", without importing jieba."""
    words = _dictionary_file()
    if words is None:
        return _NO_DICTIONARY
    try:
        with (words.parent / "__init__.py").open("rb") as module:
            version = re.search(rb"__version__ = ['\"]([\w.]+)", module.read(2000))
        size = words.stat().st_size
    except OSError:
        return _NO_DICTIONARY
    return f"jieba-{version[1].decode() if version else 'unknown'}-{size}"


def _dictionary_file() -> Path | None:
    spec = find_spec("jieba")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "dict.txt"


def _loaded(folder: Path | None) -> _Segmenter:
    words = _dictionary_file()
    jieba = _imported_jieba()
    if words is None or jieba is None:
        return _WITHOUT_JIEBA
    try:
        marisa_trie = import_module("marisa_trie")
    except ImportError:
        return _over_loaded_dictionary(jieba, words)
    return _over_mapped_dictionary(jieba, _mapped(marisa_trie, words, folder))


def _no_words(_run: str) -> list[str]:
    return []


def _no_class(_word: str) -> str:
    return ""


_WITHOUT_JIEBA: Final = _Segmenter(_no_words, _no_class)


def _imported_jieba() -> Any:
    """Return the module jieba, or None where it cannot be imported; silently either way."""
    # jieba wants pkg_resources only to open its own files, and does without where it is missing.
    # Importing it takes longer than the rest of jieba, and its newer versions warn.
    hidden = "pkg_resources" not in sys.modules
    modules = cast("dict[str, object]", sys.modules)
    if hidden:
        modules["pkg_resources"] = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            jieba: Any = import_module("jieba")
        jieba.setLogLevel("ERROR")
    except ImportError:
        return None
    finally:
        if hidden:
            modules.pop("pkg_resources", None)
    return jieba


def _over_loaded_dictionary(jieba: Any, words: Path) -> _Segmenter:
    """Return jieba's segmentation over its own dictionary, loaded here and cached nowhere."""
    tokenizer = jieba.Tokenizer()
    with words.open("rb") as lines:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(lines)
    tokenizer.initialized = True
    classes = {word: letter for word, _, letter in _entries(words)}

    def word_class(word: str) -> str:
        return classes.get(word, "")

    return _Segmenter(tokenizer.lcut, word_class)


class _Dictionary(NamedTuple):
    """A trie that numbers its words, and by number their log probability and class.

    One more log probability, the last, is that of an unknown character.
    """

    trie: Any
    weights: Sequence[float]
    classes: Sequence[int]
    longest: int


def _over_mapped_dictionary(jieba: Any, dictionary: _Dictionary) -> _Segmenter:
    """Return jieba's segmentation with every look-up answered by the mapped dictionary."""
    trie, weights, classes, longest = dictionary
    known: Callable[[str], bool] = trie.__contains__
    starting: Callable[[str], Iterable[tuple[str, int]]] = trie.iter_prefixes_with_ids
    unknown = weights[-1]

    class Frequencies:
        """All that jieba still asks of its dictionary: whether something is a word."""

        @staticmethod
        def get(word: str) -> bool:
            return known(word)

    class MappedTokenizer(jieba.Tokenizer):
        def get_DAG(self, sentence: str) -> None:  # noqa: N802  jieba's name
            """Return no graph of words: `calc` finds them in the trie as it goes."""

        def calc(self, sentence: str, _: None, route: dict[int, tuple[float, int]]) -> None:
            """Set, from each place, the best weight to the end and the last place of its word."""
            end = len(sentence)
            route[end] = (0, 0)
            for at in range(end - 1, -1, -1):
                best = None
                for word, number in starting(sentence[at : at + longest]):
                    after = at + len(word)
                    way = (weights[number] + route[after][0], after - 1)
                    if best is None or way > best:
                        best = way
                route[at] = best or (unknown + route[at + 1][0], at)

    def word_class(word: str) -> str:
        number: int | None = trie.get(word)
        return "" if number is None else chr(classes[number])

    tokenizer: Any = MappedTokenizer()
    tokenizer.FREQ = Frequencies
    tokenizer.initialized = True
    return _Segmenter(tokenizer.lcut, word_class)


def _mapped(marisa_trie: Any, words: Path, folder: Path | None) -> _Dictionary:
    """Return the dictionary mapped from its file, built first where there is none that is whole."""
    if folder is None:
        return _built(marisa_trie, words)
    file = folder / f"{dictionary_name()}.trie"
    try:
        return _opened(marisa_trie, file)
    except (OSError, ValueError, RuntimeError):
        built = _built(marisa_trie, words)
    try:
        _write(built, file)
        return _opened(marisa_trie, file)
    except (OSError, ValueError, RuntimeError):
        return built


def _entries(words: Path) -> Iterator[tuple[str, int, str]]:
    """Yield word, frequency and class letter of each line of jieba's dictionary."""
    with words.open(encoding="utf-8") as lines:
        for line in lines:
            word, frequency, tag = line.split(" ")
            kind = tag[1:2].upper()
            yield word, int(frequency), kind if tag[0] == "n" and kind in _NAMES else tag[0]


def _built(marisa_trie: Any, words: Path) -> _Dictionary:
    entries = {word: (frequency, letter) for word, frequency, letter in _entries(words)}
    log_total = log(sum(frequency for frequency, _ in entries.values()))
    trie = marisa_trie.Trie(entries)
    weights = array("d", bytes(8 * len(entries)))
    classes = bytearray(len(entries))
    for word, number in trie.items():
        frequency, letter = entries[word]
        weights[number] = log(frequency) - log_total
        classes[number] = ord(letter)
    weights.append(log(1) - log_total)
    return _Dictionary(trie, weights, classes, max(map(len, entries)))


def _write(dictionary: _Dictionary, file: Path) -> None:
    trie = dictionary.trie.tobytes()
    body = b"".join((trie, array("d", dictionary.weights), bytes(dictionary.classes)))
    counts = (len(trie), len(dictionary.classes), dictionary.longest)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Named by process: two that start together each write their own, and the last one stays.
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    private = os.open(unfinished, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    with os.fdopen(private, "wb") as out:
        out.write(body)
        out.write(_TRAILER.pack(_MAGIC, *counts, zlib.crc32(body)))
    unfinished.replace(file)


def _opened(marisa_trie: Any, file: Path) -> _Dictionary:
    """Return the dictionary in `file`. Raises OSError or ValueError where it is not whole."""
    with file.open("rb") as source:
        size, count, longest = _checked(source)
        view = memoryview(mmap(source.fileno(), 0, access=ACCESS_READ))
    # marisa maps the file from its start and stops where the trie ends.
    trie = marisa_trie.Trie().mmap(str(file))
    middle = size + 8 * (count + 1)
    weights = cast("Sequence[float]", view[size:middle].cast("d"))
    return _Dictionary(trie, weights, view[middle : middle + count], longest)


def _checked(source: BinaryIO) -> tuple[int, int, int]:
    """Return the trailer's numbers. Raises ValueError where the file is cut short or foreign."""
    # Read through, not mapped, so that a check leaves nothing of the file in this process.
    end = source.seek(0, os.SEEK_END) - _TRAILER.size
    source.seek(max(end, 0))
    try:
        magic, size, count, longest, checksum = _TRAILER.unpack(source.read())
    except struct.error as error:
        raise ValueError("no trailer") from error
    if magic != _MAGIC or size + 8 * (count + 1) + count != end:
        raise ValueError("not a dictionary")
    source.seek(0)
    found = 0
    left = end
    while left and (block := source.read(min(left, 1 << 18))):
        found = zlib.crc32(block, found)
        left -= len(block)
    if found != checksum:
        raise ValueError("damaged dictionary")
    return size, count, longest
