"""The words that rank a fact but do not recall it.

Knows two closed lists and nothing else; both hold tokens as `tokens.py` makes them: folded, and
function words are never stemmed. What must hold: the lists stay short. A long list hides facts,
and no word is stopped that has a meaning of its own: "may" is a month.
"""

from typing import Final

STOP_WORDS: Final = frozenset(
    """
    a an the this that these those
    am is are was were be been being do does did have has had
    will would shall should can could might must
    i me my you your he him his she her it its we us our they them their
    of to in on at by for with from as into about and or but if than then so
    what which who whom whose when where why how many much
    的 了 是 在 和 与 及 或 而 也 就 都 又 还 很 把 被 给 对 从 到 向 于 以 为 之 其 所 着 得
    我 你 您 他 她 它 们 我们 你们 他们 她们 它们 这 那 这个 那个 个 有
    吗 呢 吧 啊 呀 嘛 啦 哦 么 什么 谁 哪 哪里 哪个 怎么 怎样 如何 为什么 多少 几
    """.split()
)

NEGATORS: Final = frozenset(
    """
    not no never none neither nor without nothing nobody
    不 没 没有 别 未 无 非 勿 莫 毋 不要 不用 不必 不能 不会 不可 不可以 不得 不许 不准 不是 不再
    不应 并非 并不 从不 从未 从来不 尚未 切勿 绝不 决不 无需 无须 毋须 毋需 无法
    """.split()
)

_SINGLE: Final = frozenset(word for word in STOP_WORDS if len(word) == 1 and not word.isascii())


def recalls(token: str) -> bool:
    """Return whether a fact may be found because of this token alone.

    False for stop words, negators, and pairs of Chinese function characters such as 的是.
    """
    if token in STOP_WORDS or token in NEGATORS:
        return False
    return not (len(token) == 2 and token[0] in _SINGLE and token[1] in _SINGLE)
