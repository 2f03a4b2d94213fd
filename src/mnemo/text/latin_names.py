"""Names in Latin, Greek and Cyrillic letters: identifiers by shape, proper nouns by grammar.

A capital says nothing where a sentence begins, so a word there is a name only if its shape or its
neighbours say so. Knows English grammar as far as closed lists tell; refuses to know any name.
What must hold: a flag, a path, an address or a
word of the grammar is no name; precision comes before recall.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from mnemo.text.latin_words import (
    ATTRIBUTES,
    BEFORE_PERSON,
    BODY_HEADS,
    FILE_ENDINGS,
    GRAMMAR,
    JOINING,
    NO_ACRONYMS,
    NO_NAMES,
    OPENERS,
    PERSONAL_VERBS,
    PLACE_HEADS,
    TOOLS,
    UNNUMBERED,
    WITH,
)
from mnemo.text.mentions import Claims, EntityKind, Mention

_L: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff"

# Addresses, paths, flags and variables: what stands in them names nothing by itself.
OPAQUE: Final = re.compile(
    rf"""
      (?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{{0,20}}+://[!-~]+
    | (?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{{1,64}}+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*
    | (?<![{_L}0-9])www\.[!-~]+
    | (?<![{_L}0-9.])(?:~|\.{{1,2}})?/[A-Za-z0-9_.@-]+(?:/[A-Za-z0-9_.@*-]*)*
    | (?<![{_L}0-9])[A-Za-z]:\\[!-~]+
    | (?<![{_L}0-9_./-])(?:[a-z0-9_.-]{{1,100}}+/)+[A-Za-z0-9_.*-]+
    | (?<![!#-&)-+.-~\u00c0-\u024f])--?[A-Za-z][A-Za-z0-9_-]*(?:=\S+)?
    | [$@\#%\\][A-Za-z_{{][A-Za-z0-9_.}}-]*
    """,
    re.VERBOSE,
)

_WORD: Final = re.compile(
    rf"""
      (?<![{_L}0-9_])\.NET(?![{_L}0-9])
    | (?<![{_L}0-9_'\u2019.\-])
      [{_L}](?:\+\+|\#)(?![{_L}0-9_])
    | (?<![{_L}0-9_'\u2019.\-])
      [{_L}][{_L}0-9_]*(?:[-.'\u2019&][{_L}0-9_]+)*(?:\+\+|\#)?(?![{_L}0-9_])
    """,
    re.VERBOSE,
)


# So do participles and adverbs; the exceptions are given names and places.
_NO_OPENING: Final = re.compile(
    r"(?!(?:emi|sal|bil|kel|mol|hol|pol|li|kimber|bever|ita)ly$|(?:bei|nan|wyom|boe)[a-z]*ing$|(?:fr|t|ahm|moham+)ed$)"
    r".{2,}(?:ing|ed|ly)"
)

# "J.K. Rowling"; at the beginning of a line a letter counts: "A. Broadening the scope".
_INITIALS: Final = re.compile(r"(?<=[^\n] )(?:[A-Z]\.[ ]?){1,3}$")
_HONORIFIC: Final = re.compile(r"(?:Mr|Mrs|Ms|Dr|Prof|St)\.?[ ]$")
_DOES: Final = re.compile(
    r" (?:work(?:s|ed) (?:at|for|as)|lives (?:in|with|near)|lived in|was born|moved to|grew up"
    r"|is (?:married|allergic))\b"
)
_HAN_PERSONAL: Final = re.compile(
    r"[ ]?(?:负责|喜欢|认为|觉得|说|建议|推荐|提到|告诉|告知|希望|爱吃|不吃|住在|来自|是我的?同事)"
)
_HAN_BEFORE_PERSON: Final = re.compile(r"(?:同事|朋友|同学|室友|老板|经理|名叫|我叫|叫做)[ ]?$")

_PROJECT_AFTER: Final = re.compile(r"[ ]?(?:project|repo|repository|app|项目|仓库|工程)(?![a-z])")
_PROJECT_BEFORE: Final = re.compile(r"(?:[Pp]roject|[Rr]epo|项目(?:叫|名叫|名为|名是)?)[ ]?$")

_ACRONYM: Final = re.compile(r"[A-Z]{2,6}s?|[A-Z]{2,}(?:_[A-Z0-9]+)+|[A-Z]+&[A-Z]+")
_NUMBERED: Final = re.compile(
    r"(?=[^-]*[A-Z])[A-Za-z]{2,}-?[0-9]+(?:\.[0-9]+)*[A-Za-z]?|[A-Z][0-9]{2,4}"
)
_CAPITALS_AFTER: Final = re.compile(r"[ ][A-Z]{2,}(?![A-Za-z0-9])")
_CAPITALS_BEFORE: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,}'?[A-Z]*[ ]$")
_COUNT_BEFORE: Final = re.compile(r"(?<![0-9])[0-9]{1,3} $")
_QUARTER: Final = re.compile(r"(?:Q|H|FY|CY)[0-9]+")
_VERSION: Final = re.compile(r"[ ]v?[0-9]+(?:\.[0-9]+)+(?![0-9A-Za-z%])")
_SENTENCE_START: Final = re.compile(
    r"(?:^|[.!?:;。！？：；…\n\r|>]|[.!?][\"”’')\]]|(?:^|\n)\s*[0-9]+[.)]|(?:^|\n|\s)[-*•–—])[\s\"“‘'(（「『《*_#\[]*$"
)
_LOOK_BACK: Final = 24


class _Word:
    """One word: where it stands, its bare form without a possessive ending, its shape."""

    __slots__ = ("bare", "end", "is_small", "lower", "owns", "start")

    def __init__(self, start: int, text: str) -> None:
        bare = text
        if text[-2:-1] in ("'", "\u2019") and text[-1] in "sS":
            bare = text[:-2]
        self.owns = bare is not text
        head, _, tail = bare.rpartition("-")
        if head and tail in ATTRIBUTES:
            bare = head
        self.bare = bare
        self.lower = bare.lower()
        self.is_small = bare == self.lower and (bare.isalnum() or "." not in bare)
        self.start = start
        self.end = start + len(bare)


def latin_mentions(text: str, claims: Claims) -> Iterator[Mention]:
    """Yield the names in such letters that stand where nothing is claimed, in text order."""
    words = [
        _Word(match.start(), match.group())
        for match in _WORD.finditer(text)
        if claims.is_free(match.start(), match.end())
    ]
    reader = _Reader(text, words)
    at = 0
    while at < len(words):
        word = words[at]
        if word.is_small:
            if word.bare in TOOLS:
                yield Mention(word.start, word.end, EntityKind.TECHNOLOGY)
            at += 1
            continue
        end = reader.run_end(at)
        yield from reader.names(at, end)
        at = end


class _Reader:
    """Looks for names in the words of one text."""

    def __init__(self, text: str, words: list[_Word]) -> None:
        self._text = text
        self._words = words
        self._first = len(text) - len(text.lstrip(" \n\"'“‘(（「*_#["))
        plain = [word for word in words if word.lower not in GRAMMAR]
        capitals = sum(word.bare[0].isupper() for word in plain)
        # A headline, or somebody shouting: capitals say nothing there.
        self._is_headline = len(plain) > 4 and capitals > 0.8 * len(plain)
        self._is_shouted = sum(word.bare.isupper() and len(word.bare) > 1 for word in words) > max(
            2, 0.5 * len(words)
        )

    def run_end(self, at: int) -> int:
        """The index after the row of capitalised words that begins at ``at``; at least one."""
        end = at + 1
        if not self._is_capital(at):
            return end
        while end < len(self._words):
            follows = self._follows(end)
            if follows and (self._is_capital(end) or self._is_day(end)):
                end += 1
            elif follows and (skipped := self._joined(end)):
                end = skipped
            else:
                break
        return end

    def _follows(self, at: int) -> bool:
        """Whether only one space, and no possessive, parts a word from the one before it."""
        before = self._words[at - 1]
        return not before.owns and self._text[before.end : self._words[at].start] == " "

    def _joined(self, at: int) -> int:
        """The index after "of X", "of the X", "van der X", where the words from ``at`` are that;
        else 0.
        """
        if self._words[at].bare not in JOINING:
            return 0
        at += 1
        second = at < len(self._words) and self._words[at].bare in ("the", "la", "der", "den")
        if second and self._follows(at):
            at += 1
        if at < len(self._words) and self._follows(at) and self._is_capital(at):
            return at + 1
        return 0

    def _is_capital(self, at: int) -> bool:
        word = self._words[at]
        if not word.bare[0].isupper() or len(word.bare) < 2:
            return False
        return not _is_grammar(word) and word.lower not in NO_NAMES and "_" not in word.bare

    def _is_day(self, at: int) -> bool:
        """Whether a capitalised word, no name when it stands alone, may end one: Black Friday."""
        word = self._words[at]
        return word.bare[0].isupper() and word.lower.endswith("day")

    def names(self, first: int, end: int) -> Iterator[Mention]:
        """Yield the names that the row of words from ``first`` to ``end`` holds."""
        start = first
        opens = self._opens(first)
        if opens and end - first > 1 and self._is_opener(first):
            start += 1
            opens = end - start == 1 and self._words[first].lower == "new"  # New York
        whole = self._whole(start, end, opens=opens)
        if whole is not None:
            yield whole
        for at in range(first, end):
            word = self._words[at]
            if whole is None or end - start > 1:
                shaped = self._shaped(word)
                if shaped is not None:
                    yield shaped

    def _whole(self, start: int, end: int, *, opens: bool) -> Mention | None:
        first, last = self._words[start], self._words[end - 1]
        if not self._is_capital(start) or self._is_headline or self._is_shouted:
            return None
        if end - start == 1:
            if self._shaped(first) is not None or not first.bare.replace("-", "").isalpha():
                return None
            if not self._stands_alone(start, opens=opens):
                return None
        elif all(
            self._words[at].bare.isupper() or self._words[at].lower in OPENERS
            for at in range(start, end)
        ):
            return None
        initials = _INITIALS.search(self._text, max(0, first.start - 9), first.start)
        begin = initials.start() if initials else first.start
        return Mention(begin, last.end, self._kind(start, end))

    def _stands_alone(self, at: int, *, opens: bool) -> bool:
        """Whether one capitalised word is a name by its place in the sentence."""
        word = self._words[at]
        if word.bare.isupper() or word.lower in OPENERS:
            return False
        if "-" in word.bare and (opens or not all(p[:1].isupper() for p in word.bare.split("-"))):
            return False
        if word.bare in BODY_HEADS or word.bare in PLACE_HEADS:
            return False
        if _COUNT_BEFORE.search(self._text, max(0, word.start - 6), word.start):
            return False  # the "Pro" of "iPhone 13 Pro"
        if self._has_version(word) or self._is_person(at, at + 1):
            return True
        if opens and self._text.strip() == word.bare:
            return not self._is_opener(at)
        if opens:
            return (self._beside_han(word) or self._is_paired(at)) and not self._is_opener(at)
        return True

    def _is_paired(self, at: int) -> bool:
        """Whether "X and Y" begins a sentence with two capitals."""
        if at + 2 >= len(self._words) or self._words[at + 1].bare != "and":
            return False
        follow = self._follows(at + 1) and self._follows(at + 2)
        return follow and self._is_capital(at + 2)

    def _beside_han(self, word: _Word) -> bool:
        return _is_han(self._text[word.end : word.end + 2].strip()[:1])

    def _is_opener(self, at: int) -> bool:
        lower = self._words[at].lower
        if self._shaped(self._words[at]) is not None:
            return False
        return lower in OPENERS or bool(_NO_OPENING.fullmatch(lower))

    def _opens(self, at: int) -> bool:
        start = self._words[at].start
        if self._text[start - 1 : start] in ("(", "（"):
            return self._text[self._words[at].end : self._words[at].end + 1] not in (")", "）")
        before = self._text[max(0, start - _LOOK_BACK) : start]
        if _HONORIFIC.search(before) or _INITIALS.search(before):
            return False
        return start <= self._first or bool(_SENTENCE_START.search(before))

    def _is_person(self, start: int, end: int) -> bool:
        """Whether the grammar around the words says that they name somebody."""
        first, last = self._words[start], self._words[end - 1]
        before = self._text[max(0, first.start - _LOOK_BACK) : first.start]
        if _HONORIFIC.search(before) or _HAN_BEFORE_PERSON.search(before):
            return True
        if _HAN_PERSONAL.match(self._text, last.end) or _DOES.match(self._text, last.end):
            return True
        if end < len(self._words):
            next_word = self._words[end]
            if self._follows(end) and next_word.bare in PERSONAL_VERBS:
                return True
            if last.owns and end - start == 1:
                return next_word.bare.islower() and self._text[next_word.start - 1] == " "
        if start == 0 or self._text[first.start - 1] != " ":
            return False
        previous = self._words[start - 1].lower
        if previous == "with":
            return any(word.lower in WITH for word in self._words[max(0, start - 5) : start - 1])
        return previous in BEFORE_PERSON

    def _kind(self, start: int, end: int) -> EntityKind:
        first, last = self._words[start], self._words[end - 1]
        if last.bare in BODY_HEADS or (
            first.bare in ("University", "Bank", "Institute", "Ministry") and end - start > 1
        ):
            return EntityKind.ORGANISATION
        if end - start > 1 and (last.bare in PLACE_HEADS or first.bare in ("Mount", "Lake")):
            return EntityKind.PLACE
        before = self._text[max(0, first.start - _LOOK_BACK) : first.start]
        if _PROJECT_BEFORE.search(before) or _PROJECT_AFTER.match(self._text, last.end):
            return EntityKind.PROJECT
        if self._has_version(last):
            return EntityKind.TECHNOLOGY
        if any(self._shaped(self._words[at]) for at in range(start, end)):
            return EntityKind.TECHNOLOGY
        if self._is_person(start, end):
            return EntityKind.PERSON
        beside_han = self._beside_han(last) or _is_han(before.removesuffix(" ")[-1:])
        return EntityKind.TECHNOLOGY if beside_han and end - start == 1 else EntityKind.TOPIC

    def _has_version(self, word: _Word) -> bool:
        return word.lower not in UNNUMBERED and bool(_VERSION.match(self._text, word.end))

    def _shaped(self, word: _Word) -> Mention | None:
        """The mention of a word whose shape alone makes it a name: TypeScript, GPT-4, C++."""
        bare = word.bare
        if word.lower in TOOLS:
            return Mention(word.start, word.end, EntityKind.TECHNOLOGY)
        if word.is_small and not bare.endswith(("++", "#")):
            return None
        if bare.endswith(("++", "#")) or bare == ".NET":
            return Mention(word.start, word.end, EntityKind.TECHNOLOGY)
        if "." in bare:
            found = _is_dotted_name(bare)
        elif _ACRONYM.fullmatch(bare):
            found = not self._is_shouted and not _is_plain(word) and not self._is_loud(word)
        else:
            found = _is_numbered(bare) or _is_humped(bare)
        if not found:
            return None
        plural = bare.endswith("s") and bare[:-1].isupper() and len(bare) > 2
        letters_only = bare.isalpha() and bare[:-1].isupper()
        kind = EntityKind.TOPIC if letters_only else EntityKind.TECHNOLOGY
        return Mention(word.start, word.end - plural, kind)

    def _is_loud(self, word: _Word) -> bool:
        """Whether a neighbour is all capitals too: EAT YOU UP."""
        return bool(
            _CAPITALS_AFTER.match(self._text, word.end)
            or _CAPITALS_BEFORE.search(self._text, max(0, word.start - 16), word.start)
        )


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"


def _is_grammar(word: _Word) -> bool:
    if word.lower in GRAMMAR:
        return True
    head, mark, _ = word.lower.replace("\u2019", "'").partition("'")
    return bool(mark) and (head in GRAMMAR or head.endswith("n"))


def _is_plain(word: _Word) -> bool:
    lower = word.lower
    return lower in NO_ACRONYMS or lower in GRAMMAR or lower in NO_NAMES or lower in OPENERS


def _is_humped(bare: str) -> bool:
    if not bare.isalnum():
        return False
    return any(left.islower() and right.isupper() for left, right in pairwise(bare)) or bool(
        re.fullmatch(r"[A-Z]{2,}[a-z]{2,}", bare)
    )


def _is_numbered(bare: str) -> bool:
    return bool(_NUMBERED.fullmatch(bare)) and not _QUARTER.fullmatch(bare)


def _is_dotted_name(bare: str) -> bool:
    """Whether "next.config.js", "Node.js" or "pandas.DataFrame", and not "etc.The" or "e.g"."""
    parts = bare.split(".")
    if any(len(part) < 2 for part in parts):
        return False
    return parts[-1] in FILE_ENDINGS or any(_is_humped(part) or "_" in part for part in parts)
