"""Whose word a statement is, told from its text where nobody says so.

Pure, in Chinese and English. In this order:

1. What the user says (`Track.USER`) is the user's decision, preference, or else a fact; it is
   never the model's.
2. A word of advice (建议, 可以考虑, suggest, should consider) makes it the model's suggestion,
   whatever else it says: a suggestion never becomes a decision.
3. A decision (决定, 拍板, decided, settled on) or a preference (喜欢, 一律, prefers, always) is the
   user's where the user is its subject ("用户平时喜欢", "I have decided"), or where the source
   names the user and the text no other person; not in a sentence with a word of doubt.
4. A word of doubt (可能, 似乎, probably, seems) makes it the model's inference.
5. Everything else is a fact, and so is what can be read in two ways.

A question decides nothing, nor does a decision that is denied or still open ("没有决定", "if the
user decided"); a dislike is a preference. Subject and verb stand in one clause, with nothing but
adverbs between them in English, and with no other person between them in Chinese: what "my boss"
likes says nothing about the user.
"""

import re
from collections.abc import Sequence
from typing import Final

from mnemo.enums import MemoryClass, Track
from mnemo.text.normal import fold
from mnemo.text.sentences import split_sentences


def _one_of(words: str) -> str:
    """A pattern for any of these words, which are separated by commas or lines."""
    return "(?:" + "|".join(re.split(", |\n", words.strip("\n"))) + ")"


# -- who ---------------------------------------------------------------------------------------

# Not "用户数量决定…", which is no person, nor "让用户决定" and "如果用户决定", which are open.
_USER_ZH: Final = (
    r"(?<![由让请等帮若果自])"
    r"(?:用户(?![数量界体群画表名端行权组规角流增需资])|使用者|\buser|我们?|咱们?)"
)
_USER_EN: Final = (
    r"(?<!if )(?<!unless )(?<!until )(?<!whether )(?<!once )(?<!the )\b(?:(?:the )?user|i|we)"
)
# Words for anybody else; "我妈喜欢" has one between the subject that it seems to have and its verb.
_OTHERS_ZH: Final = _one_of("""
他, 她, 它, 你, 您, 谁, 对方, 别人, 人家, 大家, 们, 某, 团队, 部门, 公司, 助手, 模型, 代理
[爸妈爹娘哥姐弟妹叔伯姑姨舅婶嫂爷奶孙侄甥], 外婆, 外公, 岳, 父亲, 母亲, 家里, 儿子, 女儿, 孩子, 宝宝
丈夫, 妻子, 太太, 先生, 小姐, 女士, 爱人, 对象, 兄弟, 姐妹, 亲戚, 亲人, 老[板师婆公]
[家客病路军诗名主]人, [男女好]友, 朋友, 闺蜜, 邻居, 室友, 队友, 同[事学伴行乡], 老乡, 学生, 医生
教授, 导师, 教练, 猫, 狗, 上[司级], 下属, 领导, 经理, 主管, 总监, 总裁, 老总, 助理, 秘书
""")
_SOURCE_IS_THE_USER: Final = (
    r"(?:^|[\s:(/])(?:user|用户)"
    r"(?!\s?(?:guide|manual|docs?|interface|story|stories|table|model|agent|service))"
    r"(?=$|[\s:,)说口述原提告要确])"
)

# -- what the user says -------------------------------------------------------------------------

_DECIDES_ZH: Final = (
    _one_of("决定, 拍板, 拍了板, 敲定, 选定, 选择了, 选择用, 选用, 定下")
    + r"(?!不了|不下|不好|于|性|因素|权|论|书|是否|要不要|吗|[^,。]{0,3}质量)"
)
_DECIDES_EN: Final = _one_of(r"""
decided\b(?! (?:by|yet|whether|if)\b), decides (?:to|on|that|against)\b, settled on
chose\b, chosen\b, opted (?:for|to)\b
made (?:the|a|my|his|her|their|our|up) (?:final )?(?:decision|mind)\b
""")
_PREFERS_ZH: Final = _one_of("""
偏好, 偏爱, 偏向, 喜欢, 喜爱, 钟爱, 热爱, 最爱, 讨厌, 反感, 习惯, 一律, 不要(?!紧|求), 更愿意, 宁愿
从来不, 从不
""")
# What follows "always" and "never" in a report of what happened, or in an idiom.
_NO_HABIT: Final = _one_of(r"""
\w+ed, was, were, been, being, be, had, has, have, got, knew, thought, went, saw, did, could, would
felt, made, took, found, heard, said, came, gave, told, wrote, forget, imagine, knows?, seems?
going, looking, trying, there, mind
""")
_PREFERS_EN: Final = _one_of(rf"""
prefers?\b, preferred\b, favou?rs?\b
(?:(?:dis)?likes?|loves?|enjoys?|hates?)\b(?! (?:the idea|th[aio]\w+|its?|how|your|what|as)\b)
(?<!'ve )(?<!have )(?<!has )(?<!had )(?:always|never) (?!{_NO_HABIT}\b)[a-z]+
""")
# Between subject and verb.
_ADVERBS_EN: Final = (
    r"(?:'ve|'s|'d(?= prefer))?(?: "
    + _one_of(r"""
has, have, had, also, now, just, already, finally, recently, explicitly, clearly, strongly
officially, definitely, really, generally, usually, typically, normally, often, mostly, always
still, much, both, all, would(?= prefer), does not, do not, doesn't, don't, particularly, especially
(?:said|says|stated|mentioned|confirmed|explained)(?: that)?(?: (?:they|he|she|i|it))?
""")
    + "){0,4}"
)
# Before a decision: that it is denied, open or somebody else's to take.
_OPEN_ZH: Final = _one_of("""
没, 未, 不, 无法, 难, 怎, 如何, 是否, 等, 如果, 若, 要是, 一旦, 需要, 让, 请, 帮
由, 取, 想, 考虑, 打算, 待, 尚
""")
_HEARD_ZH: Final = _one_of("听说, 知道, 发现")
_ASKS: Final = r"\?\s*$|[吗么呢][。.]?\s*$"

# -- what somebody else says -------------------------------------------------------------------

# A suggestion that is reported or asked for is none: "用户建议", "can you suggest".
_ADVICE: Final = (
    r"(?<![的被他她人])(?<!用户)(?:建议(?!书|稿|箱)|推荐(?!系统|算法|引擎|模型|人|信|位|码|给))"
    r"|可以考虑|不妨"
    r"|(?<!you )(?<!you can )(?<!you could )(?<!you would )(?<!user )(?<!he )(?<!they )"
    r"\b(?:suggest(?:s|ed)?|recommend(?:s|ed)?)\b(?! by)"
    r"|\b(?:suggestion|recommendation): |^consider \w+ing\b"
    r"|\b(?:should|could|might want to|worth) consider"
)
# Not "不可能", nor 大概 before a number, which is an estimate.
_DOUBT: Final = (
    r"(?<![不尽])可能(?!性)|大概(?!\s*[\d一二两三四五六七八九十百千几半]|是\s*\d)"
    r"|似乎|推测|猜测|也许|或许|看起来|看样子"
    r"|\b(?:probably|perhaps|maybe|possibly|presumably|apparently|supposedly|seemingly"
    r"|seem(?:s|ed)?|might|appears? to|may (?:be|have|prefer|want|like|need))\b"
)

# -- put together ------------------------------------------------------------------------------

_CLAUSE_STARTS: Final = r"(?:^|(?<=[,.;:。\n]))\W{0,3}"


def _said(verb_zh: str, verb_en: str, *, but_after: str, nouns: str) -> tuple[str, str]:
    """Patterns for a sentence in which the user does it, and for one that names nobody."""
    gap = rf"(?:(?!{_OTHERS_ZH}|{but_after})[^,。;:?!\n]){{0,12}}?"
    by_the_user = (
        rf"{_USER_ZH}(?!的){gap}{verb_zh}"
        rf"|{_USER_ZH}的[^\s,。;:的]{{0,6}}?{nouns}(?=[是为,:]|$)"
        rf"|{_USER_EN}{_ADVERBS_EN} {verb_en}"
        rf"|\b(?:user(?:'s)?|my|our) (?:[a-z]+ )?{nouns}(?: (?:is|are)\b|:)"
    )
    by_nobody = (
        rf"{_CLAUSE_STARTS}{gap}{verb_zh}"
        rf"|{_CLAUSE_STARTS}(?:it was |please |finally |now |also )?{verb_en}"
        rf"|{_CLAUSE_STARTS}{nouns}: "
    )
    return by_the_user, by_nobody


# Patterns stay texts: compiled at their first use, they cost a start nothing.
_DECISION: Final = _said(
    _DECIDES_ZH, _DECIDES_EN, but_after=_OPEN_ZH, nouns=_one_of("决定, decision")
)
_PREFERENCE: Final = _said(
    _PREFERS_ZH,
    _PREFERS_EN,
    but_after=_HEARD_ZH,
    nouns=_one_of("偏好, 习惯, preferences?, favou?rite(?: [a-z]+){1,4}?"),
)


def infer_class(content: str, *, source: str = "", track: Track = Track.AGENT) -> MemoryClass:
    """The class of a statement that is given without one; the rules are the module's."""
    sentences = [_folded(sentence) for sentence in split_sentences(content)]
    told = [sentence for sentence in sentences if not re.search(_ASKS, sentence)]
    if track == Track.USER:
        return _of_the_user(told, user_speaks=True) or MemoryClass.FACT
    if _any(_ADVICE, told):
        return MemoryClass.MODEL_SUGGESTION
    user_speaks = _any(_SOURCE_IS_THE_USER, [_folded(source)])
    certain = [sentence for sentence in told if not re.search(_DOUBT, sentence)]
    if found := _of_the_user(certain, user_speaks=user_speaks):
        return found
    return MemoryClass.MODEL_INFERENCE if _any(_DOUBT, sentences) else MemoryClass.FACT


def _of_the_user(told: Sequence[str], *, user_speaks: bool) -> MemoryClass | None:
    for (by_the_user, by_nobody), memory_class in (
        (_DECISION, MemoryClass.USER_DECISION),
        (_PREFERENCE, MemoryClass.USER_PREFERENCE),
    ):
        if _any(by_the_user, told) or (user_speaks and _any(by_nobody, told)):
            return memory_class
    return None


def _any(pattern: str, sentences: Sequence[str]) -> bool:
    return any(re.search(pattern, sentence) for sentence in sentences)


def _folded(text: str) -> str:
    return fold(text).replace("’", "'")
