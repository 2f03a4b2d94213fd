"""What a text says in so many words about names: declarations, quotations, second names.

Knows the phrases that introduce a name, the marks that enclose one, and the brackets and phrases
that give a second name for the same thing. What must hold: an apostrophe opens no quotation; a
declared name ends where its word ends; a second name is never a fragment of a sentence.
"""

import re
from collections.abc import Iterator
from typing import Final

from mnemo.text import han
from mnemo.text.mentions import EntityKind, Mention
from mnemo.text.roles import role_of
from mnemo.text.stopwords import NEGATORS, STOP_WORDS

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
_LONGEST: Final = 30  # code points of a quoted name

# Each opening mark with its closing one; a straight quote must stand at the edge of a word, so that
# an apostrophe is none, and an inch sign neither.
_QUOTED: Final = re.compile(
    r"《(?P<title>[^《》\n]{1,60})》"
    r"|「(?P<a>[^「」\n]{2,30})」|『(?P<b>[^『』\n]{2,30})』|“(?P<c>[^“”\n]{2,30})”"
    r"|(?<![^\s(（\[,:：，。、\u3400-\u9fff])\"(?P<d>[^\"\n]{2,30})\"(?![A-Za-z0-9])"
    r"|(?<![^\s(（\[,:])'(?P<e>[^'\n]{2,30})'(?![A-Za-z0-9])"
    r"|(?<![^\s(（\[,:])‘(?P<f>[^‘’\n]{2,30})’(?![A-Za-z0-9])"
)
_QUOTED_TITLE: Final = re.compile(
    r"(?<![^\s(（\[,:])[\"“](?=[A-Z])[^\"“”\n.!?]{31,100}[\"”](?![A-Za-z0-9])"
    r"|(?<![^\s(（\[,:])[\"“](?=[A-Z])[^\"“”\n.!?]{1,29}:[^\"“”\n.!?]{1,60}[\"”](?![A-Za-z0-9])"
)
_SENTENCE_SIGN: Final = re.compile(r"[,;!?，。；！？…]|\.(?![A-Za-z0-9])|: |：")
_NO_NAME: Final = re.compile(
    r"[\s\W\d_]*|--?\w.*|[~./$].*[/\\].*|[a-z]+(?:/[\w.-]+)+|.*[=<>{}|\\].*"
)

_DECLARED_LATIN: Final = re.compile(
    r"(?i:\bmy (?:full |first )?name(?: is|'s|\u2019s)|\bcall me|\bis named|\bare named|\bnamed"
    r"|\bgoes by|(?:his|her|their) name is)"
    r"\s+(?P<name>[A-Z\u00c0-\u00de][^\W\d_]+(?:[-'\u2019][A-Z][^\W\d_]+)*"
    r"(?: [A-Z\u00c0-\u00de][^\W\d_]+){0,3})"
)
_DECLARED_HAN: Final = re.compile(
    rf"(?P<called>(?:[我他她]|名字|大名|小名|外号|用户)(?:就|名|全名|小名|外号|也)?叫(?:做|作)?|名叫)"
    rf"(?P<after>[{_HAN}]{{2,}})"
    rf"|(?:(?:名字|姓名|名|昵称|网名|外号|小名)(?:是|为|叫|：|:))(?P<said>[{_HAN}]{{2,}})"
)
_BEFORE_APP: Final = re.compile(
    rf"(?:^|(?<=[\s，。；：！？、]))(?P<name>[{_HAN}]{{2,6}}) ?(?:App|APP)(?![A-Za-z])"
)
# What may follow a declared name within its run of characters.
_AFTER_NAME: Final = frozenset("的是在，也和有就做住来从今")
_ASKING: Final = frozenset(str.split("什么 什么名字 啥 谁 哪个 多少 怎么"))

_LATIN_NAME: Final = r"[A-Z\u00c0-\u00de][\w+#.-]*\w(?: [A-Z\u00c0-\u00de][\w+#.-]*\w){0,4}"
_ALSO_LATIN: Final = re.compile(
    rf"(?P<first>[A-Za-z][\w+#.-]*(?: [A-Z][\w+#.-]*){{0,4}}),? (?:is )?"
    rf"(?:a\.?k\.?a\.?|AKA|(?:also|otherwise|better) (?:known as|called)|known as|or simply)"
    rf" \"?(?P<second>{_LATIN_NAME}|[a-z][a-z0-9+#-]{{1,14}}(?=[\s,.;)\"]|$))"
)
_ALSO_HAN: Final = re.compile(
    rf"(?P<first>[{_HAN}A-Za-z0-9+#.-]{{2,20}})[，,]?[（(]?"
    rf"(?:又名|又称为?|也叫做?|也称为?|亦称|简称为?|别名叫?|俗称|全称是?|英文名叫?|缩写为)[“「\"]?"
    rf"(?P<second>[A-Za-z][A-Za-z0-9+#.-]{{1,20}}|[{_HAN}]{{2,10}})"
)
_BRACKETED: Final = re.compile(
    rf"(?P<first>[{_HAN}]{{2,20}}|[A-Za-z][\w+#.-]*(?: (?:of |and |for )?[A-Za-z][\w+#.-]*){{0,5}})"
    rf" ?[（(](?P<second>[A-Za-z][A-Za-z0-9+#.&-]{{1,20}}(?: [A-Z][A-Za-z0-9+#.-]*){{0,3}}"
    rf"|[{_HAN}]{{2,8}})[）)]"
)
# Each pattern with the sign without which it need not be tried: most texts have none.
_ALIASES: Final = (
    (_ALSO_LATIN, re.compile(r"(?i:known as|called|a\.?k\.?a\b|or simply)")),
    (_ALSO_HAN, re.compile("[名称叫缩]")),
    (_BRACKETED, re.compile("[)）]")),
)
# Where a noun before a bracket begins at the latest: after a verb of use or naming.
_BORDERS: Final = frozenset(
    str.split("""
    用 使用 采用 支持 做 是 叫 有 通过 利用 学习 配置 部署 基于 引入 属于 称为 包括 例如 比如 关于
    启用
    """)
)
_TERM_WORDS: Final = 4


_HAN_RUNS: Final = re.compile(f"[{_HAN}]{{2,}}")
# Pronouns, particles, prepositions, interjections: a name holds none of them.
_OF_SENTENCES: Final = frozenset({"r", "u", "p", "y", "e", "o"})


def quoted_mentions(text: str) -> Iterator[Mention]:
    """Yield what stands in quotation or title marks and is short enough to be a name."""
    for match in _QUOTED.finditer(text):
        group = match.lastgroup
        if group is None:
            continue
        start, end = match.span(group)
        inner = text[start:end]
        stripped = inner.strip()
        if group == "title":
            if _NO_NAME.fullmatch(stripped) is None:
                yield Mention(start, end, EntityKind.TITLE)
        elif stripped == inner and _is_name(inner):
            yield Mention(start, end, EntityKind.TOPIC)


def quoted_stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of quotations that are too long for a name, where nothing is looked for:
    the words of a long title are no names of their own.
    """
    for match in _QUOTED_TITLE.finditer(text):
        yield match.span()


def _is_name(inner: str) -> bool:
    if _SENTENCE_SIGN.search(inner) or _NO_NAME.fullmatch(inner):
        return False
    words = inner.lower().split()
    if len(words) > 5 or all(word in STOP_WORDS or word in NEGATORS for word in words):
        return False
    if any(not _names_something(run.group()) for run in _HAN_RUNS.finditer(inner)):
        return False
    if len(words) > 1 and inner.islower() and any(word in STOP_WORDS for word in words):
        return False  # "just in case"
    first = words[0].replace("\u2019", "'")
    # "I don't know" is something said, not something named.
    return first not in _SPEAKING and "n't" not in inner.replace("\u2019", "'")


_SPEAKING: Final = frozenset(
    str.split("i i'm i'll i've i'd we we're you you're it's that's yes no what how why who")
)


def _names_something(run: str) -> bool:
    """Whether a quoted run of Han characters is no mere verb and no piece of a sentence."""
    if "是" in run:
        return False
    words = han.cut(run)
    if len(words) == 1:
        return han.word_class(words[0]) not in ("v", "d", "a", "r", "c", "p", "t")
    return not any(
        han.word_class(word) in _OF_SENTENCES for word in words if word not in "的之与和"
    )


def declared_mentions(text: str) -> Iterator[Mention]:
    """Yield the names that somebody says are theirs or another's: my name is X, 我叫X."""
    for match in _DECLARED_LATIN.finditer(text):
        yield Mention(*match.span("name"), EntityKind.PERSON)
    for match in _DECLARED_HAN.finditer(text):
        group = "after" if match["after"] else "said"
        size = _declared_size(match[group], surely=group == "said")
        if size:
            start = match.start(group)
            yield Mention(start, start + size, EntityKind.PERSON)


def product_mentions(text: str) -> Iterator[Mention]:
    """Yield what a clause begins with before the word App, where it is made of no plain words:
    a coined name falls to pieces in the dictionary, 手机银行 does not.
    """
    for match in _BEFORE_APP.finditer(text):
        words = han.cut(match["name"])
        classes = [han.word_class(word) for word in words]
        coined = any(
            not letter or len(word) == 1 for word, letter in zip(words, classes, strict=True)
        )
        if coined and all(letter in ("", "n", "v", "a") for letter in classes):
            yield Mention(*match.span("name"), EntityKind.PROJECT)


def _declared_size(run: str, *, surely: bool) -> int:
    """How many characters of a run that follows "is called" are the name; 0 for none."""
    words = han.cut(run) or [run]
    first = words[0]
    if len(first) == 3 and not han.word_class(first) and first[2] in _AFTER_NAME:
        first = first[:2]
    if len(first) == 1 and len(words) > 1 and len(words[1]) <= 2:
        # Surname and given name, or 小 and a name, cut apart.
        if han.word_class(first) in ("u", "p", "r", "d", "c", "v", "m", "q"):
            return 0
        first += words[1]
    if not 2 <= len(first) <= 4 or first in _ASKING:
        return 0
    rest = run[len(first) :]
    if rest and rest[0] not in _AFTER_NAME:
        return 0
    known = han.word_class(first)
    if known and han.name_class(first) != "r" and not (surely and known == "n" and not rest):
        return 0
    return len(first)


def alias_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, second name) where the text gives both for one thing, in text order."""
    patterns = [pattern for pattern, sign in _ALIASES if sign.search(text)]
    found = [
        (match.start(), pair)
        for pattern in patterns
        for match in pattern.finditer(text)
        if (pair := _pair(match["first"], match["second"], bracketed=pattern is _BRACKETED))
    ]
    yield from (pair for _, pair in sorted(found))


def _pair(first: str, second: str, *, bracketed: bool) -> tuple[str, str] | None:
    first, second = first.rstrip(".-"), second.rstrip(".-")
    if first[-1] >= "\u3400":
        name = _term_at_end(first)
        if bracketed and second[0] >= "\u3400":
            return None  # 今天（周一）: a remark
        if second[0] >= "\u3400" and (second := _term_at_start(second)) == "":
            return None
        if bracketed and second.islower() and len(second) < 3:
            return None
    else:
        name = _latin_term(first, second, bracketed=bracketed)
    if not name or name.casefold() == second.casefold() or second.casefold() in STOP_WORDS:
        return None
    return name, second


def _latin_term(first: str, second: str, *, bracketed: bool) -> str:
    if bracketed and second[0] < "\u3400":
        return _spelt_out(first, second)
    words = first.split()
    while len(words) > 1 and words[0][0].islower():
        words.pop(0)
    if words[0].casefold() in STOP_WORDS or words[0].casefold() in NEGATORS:
        words.pop(0)
    if bracketed or not words:
        # An English name glossed in Chinese: only one that is written as a name.
        capitals = [word for word in words if word[0].isupper()]
        return " ".join(words) if words and len(capitals) == len(words) else ""
    return " ".join(words) if words[0][0].isupper() or len(words) == 1 else ""


def _spelt_out(first: str, short: str) -> str:
    """The last words of ``first`` whose initials are ``short``: Continuous Integration for CI."""
    letters = short.rstrip("s") if short[:-1].isupper() else short
    if not letters.isupper() or not 2 <= len(letters) <= 6:
        return ""
    words = re.split(r"[ -]", first)
    for size in range(len(letters), min(len(letters) + 2, len(words)) + 1):
        tail = words[-size:]
        heads = [word for word in tail if word not in ("of", "and", "for", "the")]
        if "".join(word[0] for word in heads).upper() == letters and tail[0] == heads[0]:
            at = first.rfind(tail[0], 0, len(first) - sum(map(len, tail[1:])))
            return first[at:]
    return ""


def _term_at_end(run: str) -> str:
    """The noun that a run ends with: 持续集成 of 我们用持续集成."""
    tail = re.search(rf"[{_HAN}]+$", run)
    if tail is None or len(tail[0]) < len(run):
        return ""
    taken: list[str] = []
    for word in reversed(han.cut(run)):
        letter = han.word_class(word)
        if word in _BORDERS or letter in ("p", "c", "r", "u", "d", "m", "q", "y", "t", "f"):
            break
        if role_of(word) is not None and letter != "n":
            break
        taken.append(word)
        if len(taken) == _TERM_WORDS:
            break
    name = "".join(reversed(taken))
    return name if 2 <= len(name) <= 10 else ""


def _term_at_start(run: str) -> str:
    """The noun that a run begins with, where it is the whole run or one word of it."""
    words = han.cut(run)
    if len(run) <= 4:
        return run if not words or han.word_class(words[-1]) not in ("u", "p", "c", "y") else ""
    return words[0] if words and len(words[0]) > 1 else ""
