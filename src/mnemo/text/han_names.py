"""Names in Han characters: people by surname and neighbours, places and bodies by the dictionary.

A Chinese name has no capital: what tells it is a surname in front, a title behind, a word for a
relative before or a verb of people after. The dictionary's own word for "name" was put there by a
machine and is asked only together with such a sign. Knows surnames, titles and those signs as
closed lists; refuses to know anybody. What must hold: a name never ends within a word.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from mnemo.text import han, normal
from mnemo.text.mentions import EntityKind, Mention

HAN_RUN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]{2,}")

# The surnames of nine in ten people. Those in the second list are also ordinary words or begin
# many (高 high, 黄 yellow, 任 duty): there a sign beside the name is always wanted.
_SURNAMES: Final = frozenset(
    "王李刘陈杨赵吴徐孙朱郭梁宋郑冯邓彭肖蒋蔡魏吕沈姚卢姜崔谭廖贾邹邱薛闫侯郝龚邵覃"
)
_LOOSE_SURNAMES: Final = frozenset(
    "张周马胡林何高罗谢唐许韩曹曾田董袁潘余杜叶程苏丁任钟陆汪范石韦付方白孟熊秦江尹段雷龙史陶黎贺顾毛万钱严武"
    "戴莫孔汤黄金夏傅卓柳欧康阮俞温庞殷施翁倪樊洪"
)
_ANY_SURNAME: Final = _SURNAMES | _LOOSE_SURNAMES
_DOUBLE_SURNAMES: Final = frozenset(
    str.split("欧阳 司马 上官 诸葛 司徒 慕容 皇甫 夏侯 令狐 东方 尉迟 公孙 端木")
)
# What is put behind a surname (王总, 李老师) and before one (老王, 小李).
_TITLES: Final = (
    "总|哥|姐|董|导|老师|医生|大夫|教授|经理|先生|女士|小姐|律师|主任|校长|院长|局长|处长|科长|部长|总监|总经理|董事长|"
    "主管|师傅|阿姨|叔叔|奶奶|爷爷|大爷|同学|博士|护士|教练|法官|警官|工"
)
_TITLED: Final = re.compile(f"[{''.join(sorted(_ANY_SURNAME))}](?:{_TITLES})")
_NICKNAMED: Final = re.compile(f"[小老阿][{''.join(sorted(_ANY_SURNAME))}]")

# A name follows these, and goes before those.
_BEFORE: Final = frozenset(
    str.split("""
    和 跟 与 同 找 给 请 让 由 问 叫 名叫 我叫 叫做 是 找到 联系 认识 告诉 通知 邀请 采访 感谢
    拜托 约 同事 朋友 同学 室友 好友 邻居 客户 老板 领导 上司 经理 总监 主管 组长 老师 导师 教授
    医生 律师 教练 爸爸 妈妈 父亲 母亲 哥哥 姐姐 弟弟 妹妹 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹
    叔叔 阿姨 舅舅 姑姑 老公 老婆 丈夫 妻子 儿子 女儿 男友 女友 男朋友 女朋友 作者 导演 歌手 演员
    作家 诗人 皇帝 将军 负责人 联系人 联络人 同桌 下属 徒弟 师傅 侄子 侄女 外甥 外甥女 表叔 姑妈
    姨妈 舅妈 姓名 名字
    """)
)
_AFTER: Final = frozenset(
    str.split("""
    负责 喜欢 说 认为 觉得 想 建议 推荐 提到 告诉 表示 希望 打算 决定 同意 反对 提出 主张 担任
    出生 毕业 住在 来自 爱 讨厌 不吃 擅长 写 发来 请假 结婚 退休 去世 参加 主持 创立 创办 先生
    女士 老师 医生 教授 经理 总监 同学 博士 律师 教练 主任 今年 生日 的生日 是我 是他 是她
    """)
)
# 李明和王芳, 李明跟我
_JOINING: Final = frozenset("和跟与同")
_OTHERS: Final = _ANY_SURNAME | frozenset("我你他她")
# The model glues a small word to a name that it does not know: 林晓在.
_GLUED: Final = frozenset("在说是去来把被让给跟与的了要也都就和后对从")
# What follows a surname in a word that is no person: 李家, 王府, and places called after people.
_NO_GIVEN: Final = frozenset(
    "家府氏姓村庄镇县市区路街巷桥寺庙庵祠陵墓山河湖江峡岗沟坡岭湾港岛站店厂队党军朝国族语字型号线"
)

# After a name they make it the beginning of a place: 白银|乡.
_PLACE_CHARACTERS: Final = frozenset("村庄镇乡县市区路街巷桥寺庙山河湖江峡沟坡岭湾港岛站坑")

# Bodies are told by their last word; what is left must name one: 清华大学, and not 大学.
_BODY_ENDINGS: Final = re.compile(
    "..+(?:大学|学院|公司|集团|银行|医院|研究所|研究院|出版社|委员会|法院|检察院|协会|博物馆|图书馆|中学|小学|航空)"
)
_NO_BODIES: Final = re.compile(
    "(?:人民|中级|高级|地方|国有|民营|外国|专科|综合|市立|省立|公立|私立|理工|文理|商业|中央|互联网|科技|儿童|眼科)"
    "(?:大学|学院|公司|集团|银行|医院|法院|检察院|委员会|中学|小学|图书馆)"
)
# Common nouns that the dictionary takes for places.
_NO_PLACES: Final = frozenset(
    str.split("""
    城市 外国 平原 高原 山区 海洋 湖泊 大桥 东西 南北 东北 西北 东南 西南 自治州 自治县 英雄 太阳
    朝廷 哥哥 爱国 美丽 上市 建国 山川 山岗 都城 城区 市区 县城 乡村 农村 郊区 全国 各国 岛屿 盆地
    沙漠 公园 老家 山城 古城 水乡 热带 故乡 家乡 首都 京城 海岸 码头 市场 广场 机场 车站
    """)
)
_PLACE_ENDINGS: Final = re.compile("..+[市省县州]")
_IN_PLACE: Final = frozenset(
    str.split("在 于 去 到 来 从 飞 回 来自 抵达 前往 飞往 去过 去了 到了")
)
# After these it was something that happened: 在加盟时.
_OF_EVENTS: Final = frozenset("时 前 后 中 之前 之后 期间 过程".split())
# Countries and great cities are told by themselves.
_NO_SIGN_WANTED: Final = frozenset(
    str.split("""
    中国 美国 英国 法国 德国 日本 韩国 俄罗斯 印度 意大利 西班牙 加拿大 澳大利亚
    北京 上海 广州 深圳 香港 台湾
    """)
)


class _Run:
    """A run of Han characters with its words and the places where they begin."""

    def __init__(self, run: str) -> None:
        folded = normal.fold_keeping_case(run)
        self.text = folded if len(folded) == len(run) else run
        self.words: Sequence[str] = han.cut(self.text) or list(self.text)
        ends = list(accumulate(map(len, self.words)))
        self.starts = [0, *ends[:-1]]
        self.ends = ends

    def before(self, at: int) -> str:
        """The word that ends where ``at`` is; "" at the beginning of the run."""
        for size in (3, 2, 1):
            if at >= size and self.text[at - size : at] in _BEFORE:
                return self.text[at - size : at]
        return ""

    def goes_on(self, at: int) -> bool:
        """Whether a word of the dictionary stands across ``at``."""
        return 0 < at < len(self.text) and bool(han.word_class(self.text[at - 1 : at + 1]))

    def ends_there(self, at: int) -> bool:
        """Whether no longer name could go on with the word after that one, as 朱利叶|斯."""
        after = self.words[at + 1] if at + 1 < len(self.words) else ""
        return len(after) != 1 or han.word_class(after) not in ("", "n", "g")

    def is_followed(self, at: int) -> bool:
        """Whether what begins at ``at`` is said of people."""
        if self.text[at : at + 1] in _JOINING and self.text[at + 1 : at + 2] in _OTHERS:
            return True
        return any(self.text[at : at + size] in _AFTER for size in (2, 1, 3))


def han_mentions(run: str, offset: int) -> Iterator[Mention]:
    """Yield the names in a run of Han characters that begins at ``offset`` of its text.

    People first, the surer signs before the less sure, so that what overlaps may be dropped.
    """
    read = _Run(run)
    for mention in (*_titled(read), *_full_names(read), *_places_and_bodies(read)):
        start, end, kind = mention
        yield Mention(start + offset, end + offset, kind)


def _titled(run: _Run) -> Iterator[Mention]:
    """王总, 李老师, 老王, 小李: nobody but a person is called so, if it stands as a word."""
    for pattern in (_TITLED, _NICKNAMED):
        for match in pattern.finditer(run.text):
            start, end = match.span()
            if _is_name_of_its_own(run, start, end):
                yield Mention(start, end, EntityKind.PERSON)
    for start, end, word in zip(run.starts, run.ends, run.words, strict=True):
        if len(word) == 2 and word[1] in "哥姐" and not han.word_class(word):
            yield Mention(start, end, EntityKind.PERSON)


def _is_name_of_its_own(run: _Run, start: int, end: int) -> bool:
    """Whether no word reaches over either edge, and the characters are no other word."""
    if run.goes_on(start) or run.goes_on(end) or run.text[end : end + 1] in _PLACE_CHARACTERS:
        return False
    if end < len(run.text) and han.word_class(run.text[start : end + 1]):
        return False
    return han.word_class(run.text[start:end]) in ("", "n")


def _full_names(run: _Run) -> Iterator[Mention]:
    for at, word in enumerate(run.words):
        start, size = run.starts[at], len(word)
        if size == 2 and word in _DOUBLE_SURNAMES and at + 1 < len(run.words):
            given = run.words[at + 1]
            if len(given) <= 2 and _has_sign(run, start, start + 2 + len(given)):
                yield Mention(start, start + 2 + len(given), EntityKind.PERSON)
            continue
        if not 2 <= size <= 3 or word[0] not in _ANY_SURNAME or word[-1] in _NO_GIVEN:
            continue
        known, named = han.word_class(word), han.name_class(word) == "r"
        if known and not named:
            continue
        if size == 3 and not known and word[2] in _GLUED:
            size = 2
        if word[1] in _GLUED or han.word_class(word[:2]) not in ("", "n"):
            continue
        end = start + size
        if run.text[end : end + 1] in _PLACE_CHARACTERS or word[1:] in _DOUBLE_SURNAMES:
            continue
        if _has_sign(run, start, end) or (named and _is_plainly_named(word) and run.ends_there(at)):
            yield Mention(start, end, EntityKind.PERSON)


def _is_plainly_named(word: str) -> bool:
    """Whether a word that the dictionary takes for a person can hardly be anything else."""
    if len(word) != 3 or word[0] not in _SURNAMES:
        return False
    return han.word_class(word[1:]) != "n" or han.name_class(word[1:]) != ""


def _has_sign(run: _Run, start: int, end: int) -> bool:
    before = run.before(start)
    if len(before) > 1:
        return True
    # What a word of the grammar alone stands beside may be two words: 吴|方言, 张开|的.
    if han.word_class(run.text[start:end]) == "" and han.word_class(run.text[start + 1 : end]):
        return before == "叫" or (end - start == 2 and (bool(before) or run.is_followed(end)))
    if before == "是" and run.text[end : end + 1] == "的":
        return False
    return bool(before) or run.is_followed(end)


def _places_and_bodies(run: _Run) -> Iterator[Mention]:
    for at, word in enumerate(run.words):
        start, end = run.starts[at], run.ends[at]
        kind = han.name_class(word) if len(word) > 1 else ""
        if kind == "t" and _BODY_ENDINGS.fullmatch(word) and not _NO_BODIES.fullmatch(word):
            yield Mention(start, end, EntityKind.ORGANISATION)
        elif kind == "s" and word not in _NO_PLACES:
            before = {run.text[max(0, start - size) : start] for size in (1, 2, 3)}
            after = run.words[at + 1] if at + 1 < len(run.words) else ""
            if (
                word in _NO_SIGN_WANTED
                or (not before.isdisjoint(_IN_PLACE) and after not in _OF_EVENTS)
                or _PLACE_ENDINGS.fullmatch(word)
            ):
                yield Mention(start, end, EntityKind.PLACE)
