"""The tokens of a text: one function for the index and the query, one for telling twins.

Knows what a word is in any script; refuses to know which words matter (`stopwords.py`) or how a
match is scored. What must hold: any text goes in; a token never holds white space, quotes or
control characters and is at most 64 code points; the same text in another Unicode form, width or
case has the same tokens; every word and identifier of a text, used as a text, shares a token with
it. Whoever changes what comes out raises `_VERSION`: the index is then rebuilt.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from mnemo.text import han, normal, numerals
from mnemo.text.english import APOSTROPHES, MAX_TOKEN, ORDINAL, as_token, stemmer_name, word_tokens
from mnemo.text.scripts import HAN, HANGUL, KANA, OTHER_UNSPACED, han_without
from mnemo.text.stopwords import NEGATORS

_VERSION: Final = 1

# Points and vowel signs belong to a word, but are no letters to a regular expression.
_SIGNS: Final = (
    "\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0df3"
)
_EMOJI: Final = (
    "\u231a\u231b\u23e9-\u23f3\u2600-\u27bf\u2b1b\u2b1c\u2b50-\u2b55"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
)
_APOSTROPHE: Final = rf"[{APOSTROPHES}](?=[^\W_])"
_LETTERS: Final = rf"[^\W_{HAN}{KANA}{HANGUL}{OTHER_UNSPACED}\u02bc]++|[{_SIGNS}]++"

# A name with joints: a path, an address, a version, a time, an identifier, a hyphenated word.
_ATOM: Final = r"[A-Za-z0-9]+(?:(?:\+\+[0-9]*|\#)(?![A-Za-z0-9_]))?"
_JOINT: Final = r"(?:_*(?:::|[-./\\:@&=+])_*|_+)"

_URL: Final = r"[A-Za-z][A-Za-z0-9+.-]{0,30}://[A-Za-z0-9\-._~:/?\#@!$&*+,;=%]+"
_COMPOUND: Final = rf"{_ATOM}(?:{_JOINT}(?:{_ATOM}|\*))+"
_NUMBER: Final = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9A-Za-z])"
_SYMBOLED: Final = r"[A-Za-z]+[0-9]*(?:\+\+[0-9]*|\#)(?![A-Za-z0-9_])|(?<!\w)\.[Nn][Ee][Tt](?!\w)"

_NAMES: Final = rf"""
      (?P<url>{_URL})
    | (?P<compound>{_COMPOUND})
    | (?P<number>{_NUMBER})
    | (?P<symboled>{_SYMBOLED})
"""
_ASCII_WORDS: Final = rf"{_NAMES} | (?P<word>[A-Za-z0-9]++(?:'[A-Za-z0-9]++)*+)"
_OTHER_WORDS: Final = rf"""
      {_NAMES}
    | (?P<word>(?:{_LETTERS})(?:{_LETTERS}|{_APOSTROPHE})*+)
    | (?P<unspaced>[{KANA}]+|[{HANGUL}]+|[{OTHER_UNSPACED}]+)
    | (?P<emoji>[\U0001f1e6-\U0001f1ff]{{2}}|[{_EMOJI}])
"""
_WORDS: Final = rf"(?P<han>[{HAN}]+) | {_OTHER_WORDS}"


@cache
def _pieces(*, ascii_only: bool) -> re.Pattern[str]:
    # Compiled when first used: it takes several milliseconds, and much that starts never scans.
    return re.compile(_ASCII_WORDS if ascii_only else _WORDS, re.VERBOSE)


_VERSION_NUMBER: Final = re.compile(r"[vV][0-9]+\.")


def index_tokens(text: str) -> list[str]:
    """Return the tokens of a fact or a query, in text order, repeats kept.

    A run of Han characters gives its words, its pairs and its single characters; a run of kana or
    Hangul its pairs; a name with joints the whole and its parts; an English word its stem.
    """
    tokens: list[str] = []
    _scan(normal.fold_keeping_case(text), tokens)
    return tokens


def _scan(text: str, tokens: list[str]) -> None:
    for piece in _pieces(ascii_only=text.isascii()).finditer(text):
        kind, found = piece.lastgroup, piece[0]
        if kind == "word":
            tokens.extend(word_tokens(found))
        elif kind == "han":
            _add_han(found, tokens)
        elif kind == "compound":
            tokens.append(as_token(found))
            if _VERSION_NUMBER.match(found):
                found = found[1:]
                tokens.append(as_token(found))
            _add_parts(found, tokens)
        elif kind == "unspaced":
            tokens.extend(_pairs(found) or found)
        elif kind == "url":
            url = _trimmed(found)
            tokens.append(as_token(url))
            _scan(url.partition("://")[2].replace("://", "/"), tokens)
        elif kind == "number":
            tokens.append(as_token(numerals.plain_number(found)))
        elif kind == "symboled":
            tokens.extend(_symboled(found))
        else:
            tokens.append(found)


def _symboled(name: str) -> tuple[str, ...]:
    """Return "c++17" as itself and "c++"."""
    whole = as_token(name)
    bare = whole.rstrip("0123456789")
    return (whole, bare) if bare != whole and bare.endswith("++") else (whole,)


def _trimmed(url: str) -> str:
    """Return a URL without the punctuation of the sentence that it stands in."""
    return url.rstrip(".,;:!?*_~")


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _add_han(run: str, tokens: list[str]) -> None:
    tokens.extend(
        word if len(word) <= MAX_TOKEN else as_token(word)
        for word in han.cut_for_search(run)
        if len(word) > 1
    )
    tokens.extend(_pairs(run))
    # Questions and facts often share no word but only its head: 电话 and 电话号, 住 and 住址.
    tokens.extend(run)


# Where a name is parted, coarse to fine: path and address, then domain and version, then words.
_LEVELS: Final = (
    re.compile(r"(?:[^/\\:@&=+]|\+\+(?![A-Za-z]))+"),
    re.compile(r"[^.]+"),
    re.compile(r"[^-_]+"),
)


def _add_parts(name: str, tokens: list[str], level: int = 0) -> None:
    """Add each part of a name that is itself a name with joints, and the words it is made of."""
    parts: list[str] = []
    while level < len(_LEVELS) and len(parts) < 2:
        parts = [bare for part in _LEVELS[level].findall(name) if (bare := part.strip("-._*"))]
        level += 1
    if len(parts) < 2:
        tokens.extend(word_tokens(name) if name.isalnum() else _symboled(name))
        return
    for part in parts:
        if any(joint in part for joint in "._-"):
            tokens.append(as_token(part))
        _add_parts(part, tokens, level)


@cache
def _dedup_pieces() -> re.Pattern[str]:
    # A run of Han characters ends where a date or a share begins within it.
    plain_han = han_without(f"{numerals.HAN_DATE_BEGINS}百")
    return re.compile(
        rf"""
          (?P<date>(?<![A-Za-z0-9_.])(?:{numerals.DATE}))
        | (?P<percent>[0-9]+(?:\.[0-9]+)?(?=%)) %
        | 百分之(?P<share>[{numerals.HAN_NUMERALS}]{{1,15}})
        | (?P<myriads>[0-9]{{1,15}}(?:\.[0-9]{{1,9}})?[万亿]{{1,3}})
        | (?P<han>[{HAN}](?:[{plain_han}]++|(?!{numerals.HAN_DATE}|百分之)[{HAN}])*)
        | {_OTHER_WORDS}
        """,
        re.VERBOSE,
    )


_NUMBER_AND_UNIT: Final = re.compile(r"([0-9]+)([a-z]+)")
_EARLY_TIME: Final = re.compile(r"0[0-9]:[0-9]{2}(?::[0-9]{2})?")
_NUMERAL_WORD: Final = re.compile(rf"(第?)([{numerals.HAN_NUMERALS}]+)(.*)")
# Numerals that count nothing, or not surely.
_NO_NUMBERS: Final = frozenset(
    "一 两 千万 万一 万万 十分 十足 一点 一时 一度 一块 一级 一路 一口 一场 百万 亿万 千百".split()
)
_PARTICLES: Final = frozenset("吧 呢 啊 呀 嘛 啦 哦 哈 噢".split())
# They say something of the word before, but nothing where a clause ends with them.
_FINAL_PARTICLES: Final = frozenset("了 的".split())
_PRONOUNS: Final = frozenset("他 她 它 他们 她们 它们".split())
_DENYING: Final = frozenset("不没别未勿")


def tokenize_for_dedup(text: str) -> tuple[str, ...]:
    """Return the words that say what a text says, in text order, for telling it from others.

    Function words and negators are kept; numerals and dates have one notation (三点 and 3点 are
    "3", "点"; 8 May 2023 is "2023-05-08"); names with joints are whole; sentence particles and a
    pronoun that only takes up the subject again (我同事他是…) are left out. A unit after a number
    is its sign: 厘米 is "cm".
    """
    text = normal.fold_keeping_case(text)
    tokens: list[str] = []
    end = 0
    for piece in _dedup_pieces().finditer(text):
        found = piece[0]
        if piece["date"]:
            tokens.append("-".join(filter(None, numerals.date_parts(piece))))
        elif piece["han"]:
            after_digit = bool(tokens) and piece.start() == end and text[end - 1].isdigit()
            said = _said(found, after_digit=after_digit, ends=_ends_clause(text, piece.end()))
            for word in said:
                tokens.append(_after_number(tokens, word) or word)
        elif piece["word"]:
            unit = _after_number(tokens, found.lower())
            tokens.extend((unit,) if unit else _dedup_word(found))
        elif piece["share"]:
            tokens += (str(numerals.han_number(piece["share"])), "%")
        elif piece["percent"]:
            tokens += (piece["percent"], "%")
        elif piece["myriads"]:
            tokens.append(_myriads(found))
        elif piece["number"]:
            tokens.append(numerals.plain_number(found))
        elif piece["unspaced"]:
            tokens.extend(_pairs(found) or found)
        else:
            whole = as_token(_trimmed(found) if piece["url"] else found)
            tokens.append(whole[1:] if _EARLY_TIME.fullmatch(whole) else whole)
        end = piece.end()
    return tuple(token if len(token) <= MAX_TOKEN else as_token(token) for token in tokens)


def _after_number(tokens: list[str], word: str) -> str | None:
    """Return the sign of a unit of measure that follows a number, else None."""
    return numerals.unit_of(word) if tokens and tokens[-1][0].isdigit() else None


def _ends_clause(text: str, at: int) -> bool:
    return not text[at : at + 1].isalnum()


def _dedup_word(word: str) -> Iterable[str]:
    if (number := numerals.number_word(word.lower())) is not None:
        return (number,)
    words = word_tokens(word)
    if words[-1] == "not":
        return words
    if ordinal := ORDINAL.fullmatch(words[0]):
        return (ordinal[1],)
    amount = _NUMBER_AND_UNIT.fullmatch(words[0])
    return amount.groups() if amount else words[:1]


def _myriads(amount: str) -> str:
    """Return "1.5万" as "15000"."""
    digits = amount.rstrip("万亿")
    whole, _, fraction = digits.partition(".")
    zeros = sum(4 if place == "万" else 8 for place in amount[len(digits) :]) - len(fraction)
    return str(int(whole + fraction) * 10**zeros) if zeros >= 0 else amount


def _said(run: str, *, after_digit: bool, ends: bool) -> list[str]:
    """Return the words of a run of Han characters that say something of their own."""
    said: list[str] = []
    if after_digit:
        size = next((n for n in (2, 1) if run[:n] in numerals.MEASURES), 0)
        said += [run[:size]] if size else []
        run = run[size:]
    words = han_words(run)
    last = len(words) - 1 if ends else -1
    for at, word in enumerate(words):
        if word in _PARTICLES or (word in _PRONOUNS and _takes_up(words, at)):
            continue
        if word == "其" or (at == last and at and word in _FINAL_PARTICLES):
            continue
        numeral = _NUMERAL_WORD.match(word)
        if (
            numeral
            and word not in _NO_NUMBERS
            and (not numeral[3] or numeral[3] in numerals.MEASURES)
        ):
            parts = (numeral[1], str(numerals.han_number(numeral[2])), numeral[3])
            said.extend(filter(None, parts))
        elif _denies(word):
            said.extend((word[0], word[1:]))
        else:
            said.extend(_words_within(word))
            said.append(word)
    return said


def han_words(run: str) -> tuple[str, ...]:
    """Return the words of a run of Han characters, its characters where there is no dictionary.

    Remembered for a while: a dream makes tokens of a text and then reads it.
    """
    return _known_han_words(run) if len(run) <= MAX_TOKEN else _han_words(run)


def _han_words(run: str) -> tuple[str, ...]:
    return tuple(han.cut(run) or run) if run else ()


_known_han_words: Final = lru_cache(maxsize=1 << 13)(_han_words)


@lru_cache(maxsize=1 << 14)
def _words_within(word: str) -> tuple[str, ...]:
    """Return the dictionary's words of two and three characters within a longer one."""
    return tuple(
        part
        for size in (2, 3)
        for at in range(len(word) - size + 1)
        if size < len(word) and han.word_class(part := word[at : at + size])
    )


@lru_cache(maxsize=1 << 14)
def _denies(word: str) -> bool:
    """Return whether jieba has joined a negator with what it denies: 不吃, 没去, 别忘了."""
    if len(word) == 1 or word[0] not in _DENYING or word in NEGATORS:
        return False
    return han.word_class(word) in ("", "v", "a", "l")


def _takes_up(words: Sequence[str], at: int) -> bool:
    """Return whether a pronoun stands right after the subject that it means, before a verb."""
    if not 0 < at < len(words) - 1 or len(words[at - 1]) < 2:
        return False
    classes = [han.word_class(word) for word in words[:at]]
    named = classes[-1] in ("n", "") or (at > 1 and words[at - 2] == "的")
    return named and not any(letter in ("v", "p") for letter in classes[:-1])


def jaccard_similarity(a: Iterable[str], b: Iterable[str]) -> float:
    """Return |A ∩ B| / |A ∪ B| of two sets of tokens, in [0, 1]; 0.0 where both are empty."""
    left, right = set(a), set(b)
    union = len(left | right)
    return len(left & right) / union if union else 0.0


@cache
def tokens_version() -> str:
    """Return a name that changes whenever the same text might have other tokens."""
    return f"tokens-{_VERSION} {han.dictionary_name()} {normal.folding_name()} {stemmer_name()}"
