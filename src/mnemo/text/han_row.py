"""Chinese words as units: numerals and their measures, negators that stuck to a verb, questions.

Knows jieba's words and its classes, and where jieba joins what says two things. What must hold:
where a word begins and ends is remembered, so that two texts can be cut alike.
"""

import re
from typing import Final

from mnemo.text import han, numerals
from mnemo.text.english_row import EnglishRow
from mnemo.text.roles import ORDINALS, Role, is_hollow, number_bound, role_of
from mnemo.text.tokens import han_words

# After a number they are its unit, whatever word they could begin.
_COUNTED: Final = frozenset("点个岁多余来")
_AFTER_CLASSIFIERS: Final = frozenset("多余来起前后内外")
_ARTICLE_CLASSIFIERS: Final = numerals.CLASSIFIERS - frozenset("次届场段层")
_LASTING: Final = frozenset(str.split("小时 钟头 月 星期 礼拜 季度 学期 世纪 半 多"))
_A_NOT_A: Final = re.compile(r"(.)[不没]\1")
# jieba joins a negator with what it denies, where the whole is in its dictionary or might be.
_DENYING: Final = frozenset("不没未别")
_DENIED: Final = ("", "v", "l")


class HanRow(EnglishRow):
    """Adds runs of Han characters; `forced` tells how some strings in them are cut."""

    def __init__(
        self, folded: str, forced: dict[str, tuple[str, ...]], *, wide: bool = False
    ) -> None:
        super().__init__(folded, wide=wide)
        self._forced = forced

    def _add_han(self, run: str, start: int) -> None:
        words = self._words(run, start)
        for at, word in enumerate(words):
            self._borders.add(start)
            if self._is_han_article(word, words[at + 1 :]):
                self._article = "a"
            else:
                self._add_han_word(word, start)
            start += len(word)
        self._borders.add(start)

    def _is_han_article(self, word: str, after: list[str]) -> bool:
        """True for 一 before a classifier and a noun: 一个人 is a man."""
        if word[0] != "一" or len(word) > 2:
            return False
        classifier, *noun = [*word[1:], *after][:2] or [""]
        if classifier not in _ARTICLE_CLASSIFIERS or not noun:
            return False
        if role_of(noun[0]) or noun[0] in _LASTING:
            return False
        return not (self._units and self._units[-1].role in (Role.ALL, Role.BOUND))

    def _add_han_word(self, word: str, start: int) -> None:
        if word == "被":
            if self._verb is None:
                self._verb = self._agent = len(self._units)
            return
        if word[0] in "年号日" and len(word) == 1 and self._follows_number(start):
            return
        if (bound := number_bound(word)) and self._follows_measured(start):
            self._add(bound, word, Role.BOUND, start)
            return
        if (unit := numerals.unit_of(word)) and self._follows_number(start):
            self._add(unit, word, Role.WORD, start)
            return
        listed = role_of(word)
        if word == "过" and self._follows_verb(start):
            listed = Role.HEDGE, word
        if word == "十分" and self._units and self._units[-1].text == "点":
            listed = None  # 五点十分 is a time, 十分好 is very good
        if word == "才" and _counts(self._folded[start + 1 : start + 2]):
            return  # 才三岁: no more than an opinion about a number
        if listed is not None:
            self._add_listed(*listed, word, start)
            return
        if len(word) == 3 and _A_NOT_A.fullmatch(word):
            self._add("?", word, Role.QUESTION, start)
            return
        if word[0] in _DENYING and len(word) > 1 and han.word_class(word) in _DENIED:
            self._add_han_word(word[0], start)
            self._add_han_word(word[1:], start + 1)
            return
        if word[-1] == "时" and len(word) > 1 and not han.word_class(word):
            self._add_han_word(word[:-1], start)
            self._add_han_word("时", start + len(word) - 1)
            return
        if len(word) == 2 and is_hollow(word):
            self._add_han_word(word[0], start)
            self._add_han_word(word[1], start + 1)
            return
        if word[0] == "第" and len(word) > 1 and word[1] in numerals.HAN_NUMERALS:
            self._add("第", "第", Role.BOUND, start)
            word, start = word[1:], start + 1
        digits = len(word) - len(word.lstrip(numerals.HAN_NUMERALS))
        rest = word[digits:]
        if (
            digits
            and word not in numerals.NO_NUMBERS
            and (not rest or rest in numerals.MEASURES or role_of(rest))
        ):
            value = str(numerals.han_number(word[:digits]))
            # 一米零八 is less than 一米八: a zero in front counts.
            key = f"0{value}" if digits > 1 and word[0] in "零〇" else value
            self._add(key, word[:digits], Role.NUMBER, start)
            if rest and rest not in numerals.CLASSIFIERS:
                self._add_han_word(rest, start + digits)
        elif word in ORDINALS:
            self._add(word, word, Role.BOUND, start)
        elif word not in numerals.CLASSIFIERS or not self._follows_number(start):
            self._add(word, word, Role.WORD, start)

    def _follows_verb(self, start: int) -> bool:
        """True right after a Chinese verb: 喝过 has drunk, 用过 has used."""
        if self._folded[start - 1 : start] == "用":
            return True
        if not self._units or self._units[-1].end != start:
            return False
        return han.word_class(self._units[-1].text) == "v"

    def _words(self, run: str, start: int) -> list[str]:
        for string, cut in self._forced.items():
            before, found, after = run.partition(string)
            if found:
                end = start + len(before) + len(string)
                return [*self._words(before, start), *cut, *self._words(after, end)]
        words: list[str] = []
        end = 0
        if self._follows_number(start):
            end = _counted(run, 0)
            words += run[:end]
        for count in numerals.HAN_COUNT.finditer(run, end):
            words += [*han_words(run[end : count.start()]), count.group()]
            end = _counted(run, count.end())
            words += run[count.end() : end]
        return [*words, *han_words(run[end:])]


def _counted(run: str, at: int) -> int:
    """The place after the unit that follows a number in a run, `at` where there is none."""
    if run[at : at + 1] in numerals.CLASSIFIERS and run[at + 1 : at + 2] in _AFTER_CLASSIFIERS:
        return at + 1
    return at + (run[at : at + 1] in _COUNTED)


def _counts(char: str) -> bool:
    return char.isdigit() or (char != "" and char in numerals.HAN_NUMERALS)
