"""Words on one side alone that keep two facts apart, kind by kind."""

import pytest

from mnemo.text.contrast import find_contrasts

STANDINGS = [
    ("The obsolete handler is in core", "The handler is in core"),
    ("The outgoing treasurer is Lena", "The treasurer is Lena"),
    ("The alleged author is Tom", "The author is Tom"),
    ("The backup address is 5 Elm Road", "The address is 5 Elm Road"),
    ("公司的旧地址是长江路", "公司的地址是长江路"),
    ("备用地址是长江路", "地址是长江路"),
    ("废弃的入口是 /v1", "入口是 /v1"),
    ("离任经理是王芳", "经理是王芳"),
]
CONDITIONS = [
    ("断网的话系统使用缓存", "系统使用缓存"),
    ("没有网络时系统使用缓存", "系统使用缓存"),
    ("断网时，系统使用缓存", "系统使用缓存"),
    ("万一断网，系统使用缓存", "系统使用缓存"),
    ("With the flag on the parser accepts tabs", "The parser accepts tabs"),
    ("During the pilot, tickets are free", "Tickets are free"),
    ("On weekends the library opens at nine", "The library opens at nine"),
    ("图书馆周末九点开门", "图书馆九点开门"),
]
EXCEPTIONS = [
    ("It runs in every region but Lisbon", "It runs in every region"),
    ("We ship to all countries bar Norway", "We ship to all countries"),
    ("We ship to all countries save Norway", "We ship to all countries"),
    ("All members have keys, Olga excepted", "All members have keys"),
    ("所有成员都有钥匙，小李例外", "所有成员都有钥匙"),
]
HEDGES = [
    ("系统难以支持中文", "系统支持中文"),
    ("团队暂缓发布新版", "团队发布新版"),
    ("系统原则上支持中文", "系统支持中文"),
    ("系统最好支持中文", "系统支持中文"),
    ("The office has a few printers", "The office has printers"),
    ("集群有几个节点", "集群有节点"),
]
OPINIONS = [
    ("According to Ivan the cache is slow", "The cache is slow"),
    ("For Ivan the cache is slow", "The cache is slow"),
    ("据小王称缓存很慢", "缓存很慢"),
]
PARTS_OF_NAMES = [
    ("New Harbour Tools owns the shop", "Harbour Tools owns the shop"),
    ("Karl Berg junior owns the shop", "Karl Berg owns the shop"),
]
CASES = [
    ("The limit is 20 Mb", "The limit is 20 MB"),
    ("The limit is 100 Gb", "The limit is 100 GB"),
    ("The prize is 3 M", "The prize is 3 m"),
    ("Set PATH first", "Set path first"),
]
ASPECTS = [
    ("用户用过 Vim", "用户用 Vim"),
    ("用户用着 Vim", "用户用过 Vim"),
    ("用户喝过红酒", "用户喝红酒"),
]


@pytest.mark.parametrize(
    ("left", "right"),
    STANDINGS + CONDITIONS + EXCEPTIONS + HEDGES + OPINIONS + PARTS_OF_NAMES + CASES + ASPECTS,
)
def test_what_limits_a_fact_on_one_side_keeps_the_two_apart(left: str, right: str) -> None:
    assert find_contrasts(left, right)
    assert find_contrasts(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("用户买了一辆车", "用户买一辆车"),
        ("The disk holds 20 GB", "The disk holds 20 GB in total"),
        ("Every test passes", "Every test passes quickly"),
    ],
)
def test_what_only_adds_to_a_fact_does_not(left: str, right: str) -> None:
    assert find_contrasts(left, right) == ()
