"""What part a word plays when two texts are compared: the closed lists of the judge.

A closed list holds words of the grammar: negators, limits, bounds, prepositions, fillers. It never
lists values, names or opposites, which are told apart by being different words. Knows words in the
form in which they are compared: folded, English words also as inflected. What must hold: a word has
one part.
"""

from enum import IntEnum
from typing import Final

from mnemo.text.synonyms import SYNONYMS


class Role(IntEnum):
    """The part of a word in its sentence."""

    WORD = 0
    NUMBER = 1
    DATE = 2
    TIME = 3
    NAME = 4
    NEGATOR = 5
    ALL = 6
    SOME = 7
    ONLY = 8
    HEDGE = 9
    CONDITION = 10
    QUESTION = 11
    BOUND = 12
    """What bounds the word beside it: before, outside; at a number also more, until, minimum."""
    SIGN = 13
    WEAK = 14
    LIGHT = 15
    ARTICLE = 16
    POSSESSIVE = 17


def _listed(key: str, words: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), key)


def _themselves(words: str) -> dict[str, str]:
    return {word: word for word in words.split()}


# They say nothing of their own: a text says the same with and without them.
_LIGHT: Final = """
be been being which who whom there here something this these those it its itself
very really quite just also so then as well please indeed actually currently now already still
了 着 地 得 该 此 也 就 还 很 挺 非常 特别 十分 真 可 可是 这 那 这个 那个 其 它
它们
之 所 有 呢 啊 吧 呀 嘛 哦 啦 哈 个 位 又 叫 叫做 名叫 则 便 正 正在 正好 刚好 目前 现在 现 已
已经
亦 仍 仍然 其中 而且 并且 并 而 等
其中 同时 过 然后 还有 另外 此外 一下 一种 做 当 把
"""
_ARTICLES: Final = "a an the"
_POSSESSIVES: Final = "的 of"

# In the same place those of one family (the letter) must agree: tenses, prepositions, junctions,
# modal verbs, pronouns. Where one side has one and the other none, the family decides.
_WEAK: Final = {
    **_listed("t:past", "was were had did"),
    **_listed("t:now", "is are am has have does do"),
    **_listed("t:is", "是 就是 都是 也是 则是 为"),
    **_listed("p:in", "in inside into 里 里面 中 之中"),
    **_listed("p:within", "within"),
    **_listed("p:on", "on onto upon"),
    **_listed("p:at", "at 在 于 位于 处于 地处"),
    **_listed("p:over", "over above"),
    **_listed("p:under", "under below beneath underneath"),
    **_listed("p:from", "from 从 自 来自 由"),
    **_listed("p:off", "off out outside"),
    **_listed("p:to", "to toward towards 到 至 往 向 朝"),
    **_listed("p:for", "for 给 替 为了"),
    **_listed("p:against", "against"),
    **_listed("p:towards", "对 对于"),
    **_listed("p:with", "with 跟 同 用 以"),
    **_listed("p:before", "before"),
    **_listed("p:after", "after"),
    **_listed("p:behind", "behind"),
    **_listed("p:near", "near beside by next"),
    **_listed("p:through", "through across along via 通过 经过 沿"),
    **_listed("p:around", "around"),
    **_listed("p:past", "past"),
    **_listed("p:between", "between among"),
    **_listed("p:during", "during while when 时 时候"),
    **_listed("p:since", "since"),
    **_listed("p:until", "until till"),
    **_listed("p:up", "up"),
    **_listed("p:down", "down"),
    **_listed("p:about", "about 关于"),
    **_listed("p:than", "than 比"),
    **_listed("c:that", "that"),
    **_listed("j:and", "and & 和 与 及 以及"),
    **_listed("j:or", "or 或 或者 还是"),
    **_listed("j:because", "because 因为 由于"),
    **_listed("m:must", "must shall 必须 得"),
    **_listed("m:should", "should ought 应该 应当"),
    **_listed("m:need", "要 需要"),
    **_listed("m:can", "can able 可以 能 能够"),
    **_listed("m:could", "could"),
    **_listed("m:would", "would 会"),
    **_listed("o:he", "he him his himself 他"),
    **_listed("o:she", "she her hers herself 她"),
    **_listed("o:they", "they them their theirs 他们 她们"),
}

_NOT: Final = """
not no never none nobody nothing nowhere neither nor without cannot
不 没 没有 无 非 未 未曾 不是 并非 并不 并未 从不 从未 从来不 不再 尚未 还没 不太 不怎么 不大
"""
_DO_NOT: Final = (
    "勿 别 毋 莫 甭 休 休想 不要 不准 不许 不得 不可 不可以 不应 不应该 不该 切勿 禁止 严禁"
)
_NEED_NOT: Final = "不用 不必 无需 无须 毋须 不需要"
# Verbs and adverbs that deny what follows, each in its own way.
_DENIALS: Final = """
hardly rarely seldom barely scarcely instead rather unlike unable incapable non un false untrue
incorrect bogus fake
avoid avoids avoiding avoided forbid forbids forbidden prohibit prohibits prohibited
ban bans banned refuse refuses refused deny denies denied refrain refrains lack lacks lacking
stop stops stopped quit quits fail fails failed
不会 不能 不想 不愿 不肯 绝不 决不 没法 无法 避免 拒绝 停止 不让 取消 而非 而不是 不在
虚假 谎称 谣传
"""

_ALL: Final = """
all every each always everything everyone everybody everywhere any anything anyone entire entirely
whole both whatever
全 全部 所有 一切 每 每个 每次 每一 都 全都 一律 总 总是 始终 一直 永远 从来 任何 任意 凡是 均 皆
整个 统统
"""
_SOME: Final = """
some sometimes most mostly mainly partly partially few several occasionally usually
often frequently generally normally typically half almost nearly
有些 一些 有的 某些 某个 大部分 有时 有时候 偶尔 经常 常常 时常 往往 通常 一般 多数 大多数 大多 主要
几乎 基本 基本上 少数 半 几个 几位 几台 几名 若干
"""
_ONLY: Final = """
only solely exclusively merely alone least less fewer minimum maximum
仅 仅仅 只 只有 只能 只用 只在 只是 才 唯一 单独 至少 至多 最多 最少 不超过 不仅 不仅仅 不只
"""
_HEDGES: Final = """
may might will maybe perhaps possibly probably approximately roughly want wants wanted wanting plan
plans planned planning hope hopes hoped hoping try tries tried trying consider considers considered
considering intend intends intended wish wishes pretend pretends former formerly previously once ex
acting interim deputy vice co pseudo semi quasi anti supposed supposedly allegedly seem seems seemed
rarely seldom hardly barely deny denies denied refuse refuses refused cancel cancels cancelled
canceled postpone postpones postponed quit quits stopped avoid avoids avoided
将要 将会 可能 也许 或许 大概 似乎 好像 据说 想 想要 打算 计划 准备 希望 考虑 试图 尝试 曾 曾经 曾是
原来 原先 过去 以前 从前 先前 早先 当年 前任 代理 名誉 候任 即将 快要 就要 将 大约 约 差不多 将近
假装 反对 放弃 讨厌 否认 拒绝 差点 差点儿 梦见 后悔 取消 推迟 很少 少 忌 忌吃 戒 戒掉 不宜 低于 高于
大于 小于 超过 不到 不足 不满 不止 未必 不一定 不见得 多于 少于 早于 晚于
听说 声称 宣称 自称 据称 传闻 看来
难以 难于 很难 未能 不便 懒得 中止 暂缓 暂停 搁置 原则上 理论上 最好 尽量 大体上 大致
struggle struggles struggled hesitate hesitates hesitated suspend suspends suspended pause pauses
paused ideally preferably
"""
# What bears one of these is not, or not yet, or no longer, or only at need the thing itself.
_STANDINGS: Final = """
deprecated obsolete legacy outgoing retired defunct discontinued superseded erstwhile expired
archived abandoned inactive previous prior potential possible hypothetical draft
proposed future upcoming prospective tentative provisional temporary planned alleged purported
backup fallback standby spare alternate
旧 废弃 弃用 停用 过时 作废 失效 过期 卸任 离任 拟 拟用 拟定 拟议 未来 潜在 候选 暂定 临时 备用 备份
后备 备选 替补 所谓
"""
_CONDITIONS: Final = """
if unless provided whether otherwise except excepting excepted excluding besides
如果 若 假如 要是 倘若 只要 除非 一旦 否则 是否 除 除了 除外 之外 以外
万一 的话 据 例外 另议
"""

# They bound what stands beside them, whatever it is …
_BOUNDS: Final = {
    **_listed("before", "前 之前"),
    **_listed("after", "后 之后 以后"),
    **_listed("outside", "外"),
    **_listed("beyond", "beyond exceeding"),
    **_listed("nearly", "近"),
    **_listed("every other", "每隔 隔"),
}
# … or only a number or a time, and are other words elsewhere: 以下代码, 多喝水, 市内.
_NUMBER_BOUNDS: Final = {
    **_listed("within", "内 以内 之内"),
    **_listed("or more", "以上 多 余 起 来"),
    **_listed("or less", "以下 止"),
    **_listed("about", "左右 上下 前后"),
    **_listed("start", "初"),
    **_listed("end", "底 末"),
}
# Before a number they say which ones of many it counts.
PICKING: Final = frozenset(
    str.split("first last top bottom another min max 首 头 最后 最初 最近 最新")
)
# Before a number they say which one it is, or of which calendar.
ORDINALS: Final = frozenset(str.split("第 农历 阴历 阳历 公历"))

QUESTIONS: Final = frozenset(str.split("吗 么 难道"))
# Rows of words that are one.
PHRASES: Final[dict[str, tuple[Role, str]]] = {
    **dict.fromkeys(
        (
            "other than", "apart from", "aside from", "but for", "save for", "except for",
            "with the exception of",
        ),
        (Role.CONDITION, "except"),
    ),
    **dict.fromkeys(("as long as", "so long as", "in case"), (Role.CONDITION, "if")),
    "according to": (Role.CONDITION, "according to"),
    **dict.fromkeys(("in principle", "in theory"), (Role.HEDGE, "in principle")),
    "no longer": (Role.NEGATOR, "¬"),
    "about to": (Role.HEDGE, "about to"),
}  # fmt: skip

# After a number they say of how much it is the number.
SCALES: Final = frozenset(
    str.split("hundred thousand million billion trillion dozen am pm o'clock percent % ‰ ° ' k")
)

_TIMES: Final = """
morning mornings afternoon afternoons evening evenings night nights noon midnight day days week
weeks
month months year years weekend weekends weekday weekdays daily weekly monthly yearly nightly
today tomorrow yesterday tonight
monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday
saturdays sunday sundays spring summer autumn winter
早上 早晨 清晨 上午 中午 下午 傍晚 晚上 夜里 夜间 晚间 半夜 周末 工作日 每天 每日 每周 每月 每年
每晚 每周末 天天 今天 昨天 明天 今年 去年 明年 周一 周二 周三 周四 周五 周六 周日 星期一 星期二
星期三 星期四 星期五 星期六 星期日 星期天 春天 夏天 秋天 冬天 平时 平日
"""

# Heads that only portion what follows them: a group of children is children.
PORTIONS: Final = frozenset(
    str.split("""
    group piece pair bunch couple lot set kind type sort cup glass bowl plate bottle box slice sheet
    pile crowd team number bit part
    """)
)
BEINGS: Final = frozenset(str.split("is are was were be been being am get gets got getting"))
NOT: Final = "¬"

_ROLES: Final[dict[str, tuple[Role, str]]] = {}
for _role, _words in (
    (Role.LIGHT, _themselves(_LIGHT)),
    (Role.ARTICLE, _themselves(_ARTICLES)),
    (Role.POSSESSIVE, _themselves(_POSSESSIVES)),
    (Role.TIME, _themselves(_TIMES)),
    (Role.HEDGE, _themselves(_HEDGES)),
    (Role.HEDGE, _themselves(_STANDINGS)),
    (Role.WEAK, _WEAK),
    (Role.SOME, _themselves(_SOME)),
    (Role.ALL, _listed("all", _ALL)),
    (Role.ONLY, _themselves(_ONLY)),
    (Role.CONDITION, _themselves(_CONDITIONS)),
    (Role.NEGATOR, _themselves(_DENIALS)),
    (Role.NEGATOR, _listed(NOT, _NOT)),
    (Role.NEGATOR, _listed("minus", "minus 负 零下")),
    (Role.NEGATOR, _listed("¬do", _DO_NOT)),
    (Role.NEGATOR, _listed("¬need", _NEED_NOT)),
    (Role.QUESTION, dict.fromkeys(QUESTIONS, "?")),
    (Role.BOUND, _BOUNDS),
    (Role.WORD, SYNONYMS),
):
    _ROLES.update({word: (_role, key) for word, key in _words.items()})


_SMALL: Final = (Role.LIGHT, Role.WEAK, Role.POSSESSIVE)


def role_of(word: str) -> tuple[Role, str] | None:
    """(role, key) of a listed word in folded form, None for a word like any other."""
    return _ROLES.get(word)


def number_bound(word: str) -> str | None:
    """The key of a word that bounds the number or time right before it, else None."""
    return _NUMBER_BOUNDS.get(word)


def is_hollow(text: str) -> bool:
    """True for Han characters that are function words each, as 他于 or 由, and make no word."""
    if text == "以为":
        return False
    return all(char in _ROLES and _ROLES[char][0] in _SMALL for char in text)
