"""What part a word plays when two texts are compared: the closed lists of the judge.

A closed list holds words of the grammar (negators, limits, prepositions, fillers) and a few exact
synonyms; it never lists values, names or opposites, which are told apart by being different words.
Knows words in the form in which they are compared: folded, English words also as inflected. What
must hold: a word has one part; a synonym stands for the other in every sentence.
"""

from enum import IntEnum
from typing import Final


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
    WEAK = 12
    LIGHT = 13
    ARTICLE = 14
    POSSESSIVE = 15


def _listed(key: str, words: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), key)


def _themselves(words: str) -> dict[str, str]:
    return {word: word for word in words.split()}


# They say nothing of their own: a text says the same with and without them.
_LIGHT: Final = """
is are was were be been being am do does did has have had
that which who whom there here something this these those it its itself
very really quite just also too so then as well please indeed actually currently now already still
了 着 过 地 得 该 此 是 就是 也 就 还 都是 很 挺 非常 特别 十分 真 可 可是 这 那 这个 那个 其 它
它们
之 所 有 呢 啊 吧 呀 嘛 哦 啦 哈 个 位 又 叫 叫做 名叫 为 则 便 正 正在 正好 刚好 目前 现在 现 已
已经
亦 仍 仍然 其中 则是 而且 并且 并 而 等
然后 还有 另外 此外 一下 一种 也是 做 当 把 将
"""
_ARTICLES: Final = "a an the"
_POSSESSIVES: Final = "的 of"

# One-sided they are free; in the same place those of one family (the letter) must agree:
# prepositions, junctions, modal verbs, pronouns.
_WEAK: Final = {
    **_listed("p:in", "in inside within into 里 里面 中 内 之中 之内 其中"),
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
    **_listed("j:and", "and & 和 与 及 以及"),
    **_listed("j:or", "or 或 或者 还是"),
    **_listed("j:because", "because 因为 由于"),
    **_listed("m:must", "must should shall ought 必须 应该 应当 要 需要 得"),
    **_listed("m:can", "can could able 可以 能 能够"),
    **_listed("m:would", "would going 会"),
    **_listed("o:he", "he him his himself 他"),
    **_listed("o:she", "she her hers herself 她"),
    **_listed("o:they", "they them their theirs 他们 她们"),
}

_NOT: Final = """
not no never none nobody nothing nowhere neither nor without cannot
不 没 没有 无 非 未 未曾 不是 并非 并不 并未 从不 从未 从来不 不再 尚未 还没 不太 不怎么 不大
"""
_DO_NOT: Final = "勿 别 毋 不要 不准 不许 不得 不可 不可以 不应 不应该 不该 切勿 禁止 严禁"
_NEED_NOT: Final = "不用 不必 无需 无须 毋须 不需要"
# Verbs and adverbs that deny what follows, each in its own way.
_DENIALS: Final = """
hardly rarely seldom barely scarcely instead rather unlike
avoid avoids avoiding avoided forbid forbids forbidden prohibit prohibits prohibited
ban bans banned refuse refuses refused deny denies denied refrain refrains lack lacks lacking
stop stops stopped quit quits fail fails failed
不会 不能 不想 不愿 不肯 绝不 决不 没法 无法 避免 拒绝 停止 不让 取消 而非 而不是 不在
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
几乎 基本 基本上 少数 半
"""
_ONLY: Final = """
only solely exclusively merely least less fewer
仅 仅仅 只 只有 只能 只用 只在 只是 唯一 单独 至少 至多 最多 最少 不超过 以内 以上 以下
"""
_HEDGES: Final = """
may might will maybe perhaps possibly probably approximately roughly
want wants wanted wanting plan plans planned planning hope hopes hoped hoping try tries tried trying
consider considers considered considering intend intends intended wish wishes pretend pretends
former formerly previously once supposed supposedly allegedly seem seems seemed rarely seldom
hardly barely deny denies denied refuse refuses refused cancel cancels cancelled canceled postpone
postpones postponed quit quits stopped avoid avoids avoided
将要 将会 可能 也许 或许 大概 似乎 好像 据说 想 想要 打算 计划 准备 希望 考虑 试图 尝试 曾 曾经
曾是 原来 原先
过去 大约 约 左右 差不多 将近 假装 反对 放弃 讨厌 否认 拒绝 差点 差点儿 梦见 后悔 取消 推迟
很少 少 忌 忌吃 戒 戒掉 不宜 低于 高于 大于 小于 超过 不到
"""
_CONDITIONS: Final = """
if unless provided whether otherwise except excluding besides
如果 若 假如 要是 倘若 只要 除非 一旦 否则 是否 除 除了 除外 之外 以外
"""

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

SYNONYMS: Final = {
    **_listed("before", "之前 以前 前面"),
    **_listed("after", "之后 以后 后面"),
    **_listed("i", "i me my mine myself 我 我的"),
    **_listed("we", "we us our ours 我们 咱们"),
    **_listed("you", "you your yours 你 您"),
    **_listed("mother", "mother mom mum mama 母亲 妈妈 妈"),
    **_listed("father", "father dad papa 父亲 爸爸 爸"),
    **_listed("child", "child children kid kids 孩子 小孩 儿童"),
    **_listed("woman", "woman women lady ladies"),
    **_listed("man", "man men"),
    **_listed("person", "person people persons someone somebody 人 有人"),
    **_listed("phone", "phone telephone 电话 手机号 手机号码 电话号码 联系电话"),
    **_listed("email", "email emails e-mail mail 邮箱 电子邮箱 邮件地址 电子邮件 邮箱地址"),
    **_listed("address", "地址 住址"),
    **_listed("name", "名字 姓名"),
    **_listed("hometown", "家乡 老家 故乡"),
    **_listed("birthday", "生日 出生日期"),
    **_listed("job", "工作 上班 任职 就职"),
    **_listed("employer", "单位 工作单位"),
    **_listed("like", "like likes liked enjoy enjoys 喜欢 喜爱 爱 热爱"),
    **_listed("prefer", "prefer prefers preferred 偏好 偏爱 更喜欢"),
    **_listed("use", "use uses using utilize utilise 使用 采用"),
    **_listed("become", "become becomes became 成为 成"),
    **_listed("live", "住 居住 住在"),
    **_listed("begin", "begin begins begun began start starts started 开始"),
    **_listed("big", "big large 大"),
    **_listed("small", "small little 小"),
    **_listed("repository", "repo repos repository repositories 仓库 代码库"),
    **_listed("database", "db database databases 数据库"),
    **_listed("configuration", "config configs configuration configurations 配置"),
    **_listed("documentation", "docs doc documentation document 文档"),
    **_listed("directory", "dir directory folder 目录 文件夹"),
    **_listed("app", "app apps application applications 应用 应用程序"),
    **_listed("photo", "photo photograph picture"),
    **_listed("car", "car automobile"),
    **_listed("cm", "cm centimeter centimetre centimeters centimetres 厘米 公分"),
    **_listed("mm", "mm 毫米"),
    **_listed("m", "meter metre meters metres 米 公尺"),
    **_listed("km", "km kilometer kilometre kilometers kilometres 公里 千米"),
    **_listed("kg", "kg kilogram kilograms 公斤 千克"),
    **_listed("s", "s sec secs second seconds 秒 秒钟"),
    **_listed("ms", "ms millisecond milliseconds 毫秒"),
    **_listed("min", "min mins minute minutes 分钟"),
    **_listed("h", "h hr hrs hour hours 小时 钟头"),
    **_listed("day", "天"),
    **_listed("%", "% percent 百分比"),
}

# A participle or past tense that no stemmer brings to its verb.
_IRREGULAR: Final = {
    past: verb
    for verb, forms in {
        "write": "wrote written",
        "throw": "threw thrown",
        "hold": "held",
        "ride": "rode ridden",
        "drive": "drove driven",
        "eat": "ate eaten",
        "give": "gave given",
        "take": "took taken",
        "make": "made",
        "break": "broke broken",
        "choose": "chose chosen",
        "build": "built",
        "send": "sent",
        "keep": "kept",
        "run": "ran running",
        "go": "went gone goes",
        "see": "saw seen",
        "buy": "bought",
        "sell": "sold",
        "teach": "taught",
        "bring": "brought",
        "speak": "spoke spoken",
        "know": "knew known",
        "draw": "drew drawn",
        "wear": "wore worn",
        "sing": "sang sung",
        "drink": "drank drunk",
        "find": "found",
        "lead": "led",
        "leave": "left",
        "meet": "met",
        "pay": "paid",
        "say": "said",
        "tell": "told",
        "think": "thought",
        "win": "won",
        "catch": "caught",
        "swim": "swam swum",
        "sit": "sat",
        "stand": "stood",
        "lie": "lay lain lying",
        "tie": "tying",
        "fly": "flew flown flies",
        "lose": "lost",
        "shake": "shook shaken",
        "bite": "bit bitten",
        "feed": "fed",
    }.items()
    for past in forms.split()
}

_UNCHANGED: Final = frozenset(
    str.split("cut put hit set read shut spread cast hurt split shed spun")
)

# Heads that only portion what follows them: a group of children is children.
PORTIONS: Final = frozenset(
    str.split("""
    group piece pair bunch couple lot set kind type sort cup glass bowl plate bottle box slice sheet
    pile crowd team number bit part
    """)
)
MEASURES: Final = frozenset(
    "个位条只件张名本台辆份块间家种项人部首支座篇场届次段套层行颗棵头匹双副根枚"
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
    (Role.WORD, SYNONYMS),
):
    _ROLES.update({word: (_role, key) for word, key in _words.items()})


_SMALL: Final = (Role.LIGHT, Role.WEAK, Role.POSSESSIVE)


def role_of(word: str) -> tuple[Role, str] | None:
    """(role, key) of a listed word in folded form, None for a word like any other."""
    return _ROLES.get(word)


def base_form(word: str) -> str:
    """The verb of an irregular past form, else the word itself."""
    return _IRREGULAR.get(word, word)


def is_participle(word: str) -> bool:
    """True for a word that can be a past participle: painted, written, cut."""
    if base_form(word) != word:
        return not word.endswith(("ing", "s"))
    return word in _UNCHANGED or (
        word.endswith("ed") and not word.endswith("eed") and len(word) > 3
    )


def is_hollow(text: str) -> bool:
    """True for Han characters that are function words each, as 他于 or 由, and make no word."""
    if text == "以为":
        return False
    return all(char in _ROLES and _ROLES[char][0] in _SMALL for char in text)
