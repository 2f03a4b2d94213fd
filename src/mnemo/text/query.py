"""A question becomes what it asks for: polite words off its ends, its phrases seen as wholes.

Knows how people and agents wrap a question, in Chinese and English; refuses to know the index or a
score. What must hold: only the two ends of a query are ever shortened, never its middle, so every
content word stays, tools and commands among them; refining a refined query changes nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from mnemo.text.normal import fold, fold_keeping_case
from mnemo.text.stopwords import NEGATORS, STOP_WORDS, recalls
from mnemo.text.tokens import index_tokens, tokenize_for_dedup


@dataclass(frozen=True, slots=True)
class RefinedQuery:
    """What a query asks for: its text, its index tokens in order, its phrases as typed."""

    query: str
    tokens: tuple[str, ...]
    phrases: tuple[str, ...]


# 请 and 麻烦 also begin content words (请假, 麻烦制造者): they go only where a request follows.
# What looks like a request describes a thing where 的 follows (帮忙的同事, 告诉我的密码).
_OPENING: Final = re.compile(
    r"""(?:
      请问(?!候|题)(?:一下)?+(?!的)
    | 请(?=[\s,，]|帮|你|您|告诉|给我|查|搜|找|列出|说|介绍|解释|推荐|回忆|问)
    | 麻烦(?:你|您)?(?=[\s,，]|帮|请|告诉|查|搜|找|看)
    | (?:你|您)?(?:能不能|能否|可不可以|可否|可以|能)?
      (?:帮忙|(?:帮|帮帮|帮一下|告诉)我们?|给我们?(?=讲|说|列|找|查|看))(?![的们])
    | 我?(?:想要?|希望)(?:知道|了解(?!决)|问问?+(?![题候]))(?:一下)?+(?!的)
    | (?:你|您)(?:还)?(?:知道|记得|知不知道|记不记得)(?!的)
    | (?:hey|hi|hello)\b(?=[\s,，!]*(?:can|could|would|will|please|tell|show|what|do)\b)
    | (?:can|could|would|will)\syou\b
    | (?:please|kindly)\b
    | (?:tell|show|remind)\sme\b(?:\s(?:about|of)\b)?
    | help\sme\b(?:\s(?:to|with)\b)?
    | i(?:\swant|\sneed|['’]d\slike|\swould\slike)\sto\sknow\b
    | do\syou\s(?:know|remember)\b
    | what(?:\sis|['’]s|\sare|\swas|\swere)\b
    )[\s,，、:：]*""",
    re.VERBOSE | re.IGNORECASE,
)
_CLOSING: Final = re.compile(
    r"""(?:
      (?<![友爱最更你您美偏良])好(?:吗|不好)|可以吗|(?<![\u4e00-\u9fff])行吗|谢谢(?:你|您|啦)?|多谢|拜托了?|(?<!干)吗
    | \b(?:please|thanks|thank\syou)
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_CLOSING: Final = 10  # code points
_LOOSE: Final = " \t\r\n\u3000,，、"
_ENDING: Final = _LOOSE + "?？!！。;；…"

_QUOTED: Final = re.compile(
    r"""
      ["“”]([^"“”]+)["“”]
    | [「『《]([^「」『』《》]+)[」』》]
    | (?<!\w)['‘]([^'‘’]+)['’](?!\w)
    """,
    re.VERBOSE,
)
_CAPITALISED: Final = re.compile(r"(?<![\w+#.])[A-Z][\w+#.]*(?:[ ][A-Z0-9][\w+#.]*)+")

# What an agent does all day, and nobody keeps facts about by these words alone.
_OPERATIONS: Final = """
    git npm npx pnpm yarn pip cd ls cat mkdir rm cp mv pwd sudo
    status commit push pull fetch merge rebase checkout stash log diff clone
    run test build create open close delete remove edit modify save install start stop restart
    show list read write file folder directory
    运行 执行 测试 创建 新建 打开 关闭 删除 修改 编辑 保存 提交 推送 拉取 构建 编译 安装 启动 停止
    重启 查看 列出 读取 写入 文件 文件夹 目录 一下
"""


# A query longer than this is a document: its first words tell what it is about.
_LONGEST_QUERY: Final = 4000  # code points
# A blob without spaces is one token, so it is kept to its end: as far as the longest fact goes.
_REST_OF_WORD: Final = re.compile(r"[^\s\u3400-\u9fff]{0,16000}")

_HAN_OR_OTHER: Final = re.compile(r"[\u3400-\u9fff]{2,}|(?:(?![\u3400-\u9fff]{2}).)+", re.DOTALL)
# Digits that stand alone, or between the joints of a name; with 1.2.3 of v1.2.3 and the 1 of 1st.
_COUNTS: Final = re.compile(r"(?<![a-z0-9])v?([0-9]{1,2})(?:st|nd|rd|th)?(?![a-z0-9])")


def beginning_of(text: str) -> str:
    """Return as much of a query as is worth reading: some 4000 code points, whole words."""
    rest = _REST_OF_WORD.match(text, _LONGEST_QUERY)
    return text[: rest.end()] if rest else text


def refine_query(text: str) -> RefinedQuery | None:
    """Return what a query asks for, or None where it only operates ("git status", 运行测试).

    None as well for a query without any token.
    """
    query = _unwrapped(text)
    tokens, phrases = tuple(index_tokens(query)), _phrases(query)
    if not tokens or (not phrases and all(map(_only_operates, tokenize_for_dedup(query)))):
        return None
    return RefinedQuery(query, tokens, phrases)


def _only_operates(word: str) -> bool:
    return word in STOP_WORDS or word in NEGATORS or word in _operations()


def match_expression(tokens: Iterable[str]) -> str:
    """Return an FTS5 MATCH text that finds any of the tokens, each taken literally; "" for none.

    Tokens joined by spaces are found where they are neighbours.
    """
    return " OR ".join('"' + token.replace('"', '""') + '"' for token in dict.fromkeys(tokens))


def match_all(tokens: Iterable[str]) -> str:
    """Return an FTS5 MATCH text that finds what has all of the tokens, wherever; "" for none."""
    return " AND ".join(match_expression([token]) for token in dict.fromkeys(tokens))


def recalling_tokens(text: str, tokens: Iterable[str]) -> list[str]:
    """Return those of the tokens of a text that may find a fact alone; all of them where none may.

    One or two digits that are only a part of a mixed word (alpha3qq) say too little.
    """
    tokens = list(tokens)
    counts = frozenset(_COUNTS.findall(fold(text)))
    chosen = [t for t in tokens if recalls(t) and (t in counts or not _is_short_number(t))]
    return chosen or tokens


def _is_short_number(token: str) -> bool:
    return len(token) < 3 and token.isascii() and token.isdigit()


def sequences(phrases: Iterable[str]) -> list[str]:
    """Return what a text that holds one of the phrases has as neighbouring tokens, space-joined.

    A run of Han characters is sought by its single characters, which stand in a row wherever the
    run is cut from. What is one token, or a pair of Han characters, is a token already.
    """
    found: list[str] = []
    for phrase in phrases:
        for piece in _HAN_OR_OTHER.findall(fold_keeping_case(phrase)):
            han = "\u3400" <= piece[0] <= "\u9fff" and len(piece) > 1 and piece.isalpha()
            tokens = list(piece) if han else index_tokens(piece)
            if len(tokens) > (2 if han else 1):
                found.append(" ".join(tokens))
    return list(dict.fromkeys(found))


def _unwrapped(text: str) -> str:
    """Return the query without helper phrases at its ends; what is between them is untouched."""
    query = text.strip()
    start, end = 0, len(query)
    while True:
        before = start, end
        if opening := _OPENING.match(query, start, end):
            start = opening.end()
        while start < end and query[end - 1] in _ENDING:
            end -= 1
        while start < end and query[start] in _LOOSE:
            start += 1
        if closing := _CLOSING.search(query, max(start, end - _LONGEST_CLOSING), end):
            end = closing.start()
        if (start, end) == before:
            return query[start:end]


def _phrases(query: str) -> tuple[str, ...]:
    found = [next(filter(None, match.groups())) for match in _QUOTED.finditer(query)]
    for match in _CAPITALISED.finditer(query):
        words = match[0].split(" ")
        while words and fold(words[0]) in STOP_WORDS:
            words.pop(0)
        if len(words) > 1:
            found.append(" ".join(words))
    return tuple(dict.fromkeys(phrase.strip() for phrase in found if phrase.strip()))


@cache
def _operations() -> frozenset[str]:
    return frozenset(
        token
        for word in _OPERATIONS.split()
        for token in (index_tokens(word) if word.isascii() else (word,))
    )
