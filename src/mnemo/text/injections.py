"""Texts that speak to the model instead of about the world, in English and Chinese.

An order is told by how it begins and by what it is aimed at, never by a single phrase: a clause
begins with a verb of overriding, revealing or hiding, and its object is the instructions, the
system prompt or the user. Knows tags and shell lines that do the same; refuses to know who wrote
the text. What must hold: an order about the things of a project ("ignore the previous cache") is
none of these, nor is a sentence that tells of one.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from mnemo.text import orders_chinese, orders_english
from mnemo.text.findings import Finding, FindingKind
from mnemo.text.orders import CONFIDENT, LIKELY, POSSIBLE, Rule, any_of
from mnemo.text.shown import CHAT_TAGS

_SECRET_FILE: Final = any_of(r"""
    (?<![\w.-])\.env(?![\w.-])|\.env\.(?:production|local)\b|\.ssh/id_[a-z0-9]+\b(?!\.pub)
    \.aws/credentials|\.netrc|\.pgpass|\.npmrc|/etc/(?:shadow|passwd)
""")
_SECRET_VARIABLE: Final = (
    r"\$\{?[A-Za-z_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)[A-Za-z0-9_]*\}?"
)
_ANYWHERE: Final = (
    Rule("tag", CONFIDENT, rf"{CHAT_TAGS}|\[/?INST\]"),
    Rule(
        "exfiltration",
        POSSIBLE,
        rf"\b(?:curl|wget|nc|Invoke-WebRequest)\b[^\n]{{0,200}}?{_SECRET_VARIABLE}",
    ),
    Rule(
        "exfiltration",
        LIKELY,
        rf"\b(?:cat|less|head|tail|type|base64|xxd|more)\s+[^\s|;&]{{0,60}}?{_SECRET_FILE}",
    ),
    Rule(
        "exfiltration",
        LIKELY,
        r"(?:>>?|\b(?:tee|append|add|echo|write)\b|写入|追加|添加|加到)[^\n]{0,60}?\bauthorized_keys\b",
    ),
)

# Without one of these words no rule can match: most texts are done after one look.
_SIGNS: Final = any_of(r"""
    ignore|disregard|forget|overrid|bypass|discard|neglect|follow|attention|obey|now|act as|pretend
    roleplay|behave|become|you will|switch to|enter|enable|activate|user|human|operator|owner
    from (?:here|this)|no longer|you have|as though|as if
    person you|prompt|instruct|secret|key|credential|password|token|directive|\.env|message|memory
    configuration|<|\[/?inst|curl|wget|\bnc\b|webrequest|ssh|netrc|pgpass|npmrc|shadow|passwd|rules
    conversation|chat history|environment
    忽略|无视|忘|抛弃|丢弃|理会|别管|不要管|遵守|遵循|服从|绕过|覆盖|推翻|取消|现在你|你现在|你从现在|你就是|扮演|假装|新身份
    从现在|不再是|进入|切换|开启|激活|用户|使用者|主人|人类|提示|指令|系统|密码|密钥|令牌|凭证|口令|私钥
    环境变量|记录|设定|规则|限制|约束|内容|要求
""")


_GROUPS: Final = {
    "english": (orders_english.RULES, orders_english.STARTS, re.IGNORECASE | re.MULTILINE),
    "chinese": (orders_chinese.RULES, orders_chinese.STARTS, re.MULTILINE),
    "anywhere": (_ANYWHERE, "", re.IGNORECASE),
}


@cache
def _compiled(group: str) -> tuple[tuple[Rule, re.Pattern[str]], ...]:
    rules, starts, flags = _GROUPS[group]
    return tuple((rule, re.compile(f"{starts}(?P<order>{rule.shape})", flags)) for rule in rules)


def injection_findings(text: str) -> Iterator[Finding]:
    """Yield what in ``text`` is an order to a model, in no particular order."""
    if not re.search(_SIGNS, text, re.IGNORECASE):
        return
    text = text.replace("\u2019", "'")
    groups = ("english", "anywhere") if text.isascii() else tuple(_GROUPS)
    for group in groups:
        for rule, pattern in _compiled(group):
            for match in pattern.finditer(text):
                start, end = match.span("order")
                yield Finding(start, end, FindingKind.INJECTION, rule.label, rule.sure)
