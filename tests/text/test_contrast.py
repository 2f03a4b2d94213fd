"""What keeps two facts apart, and what does not."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemo.text.contrast import (
    ContrastKind,
    find_contrasts,
    held_alone,
    words_alone,
)
from mnemo.text.reading import read
from mnemo.text.roles import Role
from mnemo.text.tokens import jaccard_similarity, tokenize_for_dedup
from tests.text.details import details

APART = [
    ("周会在 9 点开始", "周会在 3 点开始"),
    ("缩进使用 2 个空格", "缩进使用 4 个空格"),
    ("生产服务器的登录端口是 8080", "生产服务器的登录端口是 8081"),
    ("Do commit directly to main", "Do not commit directly to main"),
    ("项目A 的数据库用 PostgreSQL", "项目B 的数据库用 PostgreSQL"),
    ("Never force push to main", "Always force push to main"),
    ("Use tabs for indentation", "Use spaces for indentation"),
    ("The server IP is 10.0.0.5", "The server IP is 10.0.0.6"),
    ("用户喜欢深色主题", "用户不喜欢深色主题"),
    ("喜欢香菜", "不喜欢香菜"),
    ("Production deployment is allowed", "Production deployment is not allowed"),
    ("Project deadline is October 15th", "Project deadline is October 16th"),
    ("Port 8080", "Port 8081"),
    ("Python 3.11", "Python 3.12"),
    ("$500", "$5000"),
    ("2026-05-01: latency 120 ms", "2026-05-02: latency 95 ms"),
    ("I love Chinese food", "I hate Chinese food"),
    ("用户负责前端代码", "用户负责后端代码"),
    ("Ana works at Acme", "Ana administers the Acme GitHub org"),
]

MAY_BE_ONE = [
    ("用户偏好使用深色主题和大字号", "用户偏好使用深色主题和大字号，晚上也一样"),
    ("Prefers pytest for unit tests", "Prefers pytest for unit tests in every project"),
    ("每天早上先看邮件再看待办清单", "每天早上先看邮件，再看待办清单，然后写代码"),
]


@pytest.mark.parametrize(("left", "right"), APART)
def test_facts_that_say_different_things_contrast(left: str, right: str) -> None:
    assert find_contrasts(left, right)


@pytest.mark.parametrize(("left", "right"), MAY_BE_ONE)
def test_a_fact_and_its_longer_form_do_not_contrast(left: str, right: str) -> None:
    assert find_contrasts(left, right) == ()
    assert jaccard_similarity(tokenize_for_dedup(left), tokenize_for_dedup(right)) > 0.6


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("喜欢香菜", "不喜欢香菜", ContrastKind.NEGATION),
        ("Port 8080", "Port 8081", ContrastKind.NUMBER),
        ("I love Chinese food", "I hate Chinese food", ContrastKind.WORD),
        ("The dog chased the cat", "The cat chased the dog", ContrastKind.ORDER),
        ("Deploy on Fridays", "Deploy only on Fridays", ContrastKind.SCOPE),
    ],
)
def test_a_contrast_says_of_what_kind_it_is(left: str, right: str, kind: ContrastKind) -> None:
    assert [contrast.kind for contrast in find_contrasts(left, right)] == [kind]


def test_a_contrast_names_the_words_on_either_side() -> None:
    (contrast,) = find_contrasts("Port 8080 is open", "Port 8081 is open")
    assert (contrast.left, contrast.right) == ("8080", "8081")
    (contrast,) = find_contrasts("用户不喜欢深色主题", "用户喜欢深色主题")
    assert (contrast.left, contrast.right) == ("不 喜欢", "喜欢")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Use tabs, not spaces", "Use spaces, not tabs"),
        ("Ana was called", "Ana called"),
        ("小红被小明打败了", "小明被小红打败了"),
        ("甲队在 2019 年赢，乙队在 2021 年赢", "甲队在 2021 年赢，乙队在 2019 年赢"),
        ("timeout 5 s and delay 5 ms", "timeout 5 ms and delay 5 s"),
    ],
)
def test_shared_words_keep_their_order(left: str, right: str) -> None:
    assert find_contrasts(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("She was hired in May 2024", "In May 2024 she was hired"),
        ("公司于 2004 年成立", "2004 年公司成立"),
        ("2004 年，公司在杭州成立", "公司 2004 年在杭州成立"),
        ("Every morning the user checks mail", "The user checks mail every morning"),
    ],
)
def test_a_whole_date_or_a_time_at_the_front_may_move(left: str, right: str) -> None:
    assert find_contrasts(left, right) == ()


def test_a_date_may_not_move_to_another_statement() -> None:
    assert find_contrasts("2004 年出生，后来成为医生", "出生，后来 2004 年成为医生")


@pytest.mark.parametrize(
    ("passive", "active"),
    [
        ("The build was broken by Ana", "Ana broke the build"),
        ("The letter was not written by Bo", "Bo did not write the letter"),
        ("苹果被小明吃了", "小明吃了苹果"),
    ],
)
def test_a_passive_says_what_its_active_says(passive: str, active: str) -> None:
    assert find_contrasts(passive, active) == ()


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Deploy to production", "Deploy to production, but not on Fridays"),
        ("Deploy to production", "Deploy to production if the tests pass"),
        ("Deploy to production", "Deploy to production. Not on Fridays."),
        ("Run the tests", "Run the tests only before a release"),
        ("Tests run in CI", "Some tests run in CI"),
        ("All tests run in CI", "All slow tests run in CI"),
        ("Do not commit to main", "Do not commit to main on Fridays"),
        ("Uses pytest", "Used to use pytest"),
        ("用户去北京", "用户打算去北京"),
        ("用户用 vim", "用户只用 vim"),
        ("所有测试都要通过", "所有慢测试都要通过"),
        ("Uses tabs", "Uses tabs or spaces"),
        ("Is deployment allowed", "Is deployment allowed?"),
        ("用户喜欢茶", "用户的妻子喜欢茶"),
        ("He painted the house", "He painted the roof of the house"),
        ("A dog guards the yard", "Two dogs guard the yard"),
    ],
)
def test_an_extra_word_that_negates_limits_or_turns_a_shared_one_contrasts(
    short: str, long: str
) -> None:
    assert find_contrasts(short, long)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Deploys on Monday", "Deploys on Monday from the office laptop"),
        ("Uses pytest", "Uses pytest. Does not like unittest mocks."),
        ("User prefers dark mode", "The user prefers dark mode."),
        ("身高 185 厘米", "身高是 185cm"),
        ("生日是六月十三号", "生日是 6 月 13 日"),
        ("规模是四千人", "规模是 4,000 人"),
        ("A dog guards the yard", "A dog, which is big, guards the yard"),
        ("A big dog guards the yard", "A dog, which is big, guards the yard"),
        ("課程在線上進行", "课程在线上进行"),
    ],
)
def test_other_extra_words_and_other_notations_are_free(short: str, long: str) -> None:
    assert find_contrasts(short, long) == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Walk from the office", "Walk to the office"),
        ("Turn the light on", "Turn the light off"),
        ("Run lint before the tests", "Run lint after the tests"),
        ("他住在北京", "她住在北京"),
        ("从上海寄出", "到上海寄出"),
        ("uses tabs and spaces", "uses tabs or spaces"),
        ("a < b", "a > b"),
        ("Ask Philips", "Ask Philip"),
        ("Edit src/app/main.py", "Edit src/lib/main.py"),
        ("Wrote it in C", "Wrote it in C++"),
    ],
)
def test_small_words_signs_and_names_are_compared_too(left: str, right: str) -> None:
    assert find_contrasts(left, right)


def test_words_that_were_cut_in_two_ways_are_the_same_characters() -> None:
    assert find_contrasts("每天先看邮件再看日程", "每天先看邮件，再看日程") == ()


def test_numbers_names_and_negations_that_one_side_alone_holds() -> None:
    text = "Ask Bo: port 8080 on db-1.local, not v1.2.3, mail a@b.co"
    assert held_alone(text, beside="Ask someone about the port") == (
        "Bo",
        "8080",
        "db-1.local",
        "not",
        "v1.2.3",
        "a@b.co",
    )
    assert held_alone(text, beside=text) == ()
    assert held_alone("端口是 8080", beside="端口是 8080，主机未定") == ()
    assert held_alone("是一个端口", beside="是端口") == ()
    assert held_alone("有两个端口", beside="有端口") == ("两",)


def test_words_that_one_side_alone_holds() -> None:
    assert words_alone("The big dog sleeps", beside="A dog sleeps") == ("big",)
    assert words_alone("A dog sleeps", beside="The big dog sleeps") == ()


# ------------------------------------------------------------------------------- laws

FACTS = [
    "The staging server listens on port 8443 behind the office firewall",
    "Ana reviews every pull request from Bo before lunch",
    "Deploy the billing service to Frankfurt on Tuesday evening",
    "The backup job copies the database from the laptop to the shelf disk",
    "User keeps 3 passwords in Bitwarden and 2 in KeePass",
    "Python files are formatted with ruff before each commit",
    "The team meets at 10:30 in the small room near the kitchen",
    "Marta prefers tea over coffee in the morning",
    "Logs older than 14 days are moved to cold storage",
    "The parser reads YAML and writes JSON",
    "Carla lent the red bicycle to her brother in March",
    "The cron job runs after the nightly import, not during it",
    "The invoice of 240 euros was paid by the Lisbon branch",
    "Tests for the web client run without a network",
    "用户每周三晚上在公园跑步五公里",
    "测试环境的数据库部署在上海机房",
    "小林把合同发给老周审核",
    "提交代码之前要先运行全部单元测试",
    "周报由组长在周五下午四点前汇总",
    "她从杭州坐高铁到北京出差",
    "缓存过期时间设为 30 秒，重试 3 次",
    "产品名用英文，界面文字用中文",
    "会议室在三楼，茶水间在二楼",
    "服务器日志保留 90 天后归档到冷存储",
    "张工负责后端，李工负责前端",
    "项目资料放在 docs 目录下，用 Markdown 编写",
]
PREPOSITIONS = [
    ("from", "to"),
    ("to", "from"),
    ("in", "under"),
    ("on", "behind"),
    ("before", "after"),
    ("after", "before"),
    ("over", "under"),
    ("without", "with"),
    ("从", "到"),
    ("到", "从"),
    ("之前", "之后"),
    ("前", "后"),
]


def _mutations(fact: str) -> list[str]:
    """Texts that say something else: parts swapped, negated, a number, a word, a preposition."""
    chance = random.Random(fact)
    han = not fact.isascii()
    units = sorted(read(fact).units, key=lambda unit: unit.start)
    said = [u for u in units if u.role in (Role.WORD, Role.NAME, Role.NUMBER, Role.TIME)]
    changed: list[str] = []
    for one in said:
        before, after = fact[: one.start], fact[one.end :]
        changed.append(f"{before}{'不' if han else 'not '}{fact[one.start :]}")
        if one.role is Role.NUMBER:
            changed.append(f"{before}{chance.randint(20, 99)}{after}")
        if one.role is Role.WORD:
            changed.append(
                before + chance.choice(["港口", "核桃"] if han else ["harbour", "walnut"]) + after
            )
        for other in said:
            if one.end <= other.start:
                between = fact[one.end : other.start]
                changed.append(before + other.text + between + one.text + fact[other.end :])
    for word, other in PREPOSITIONS:
        pattern = word if han else rf"\b{word}\b"
        changed += [fact[: m.start()] + other + fact[m.end() :] for m in re.finditer(pattern, fact)]
    return [text for text in changed if text != fact]


def test_nearly_every_mutation_of_a_fact_contrasts_with_it() -> None:
    pairs = [(fact, mutation) for fact in FACTS for mutation in _mutations(fact)]
    missed = [pair for pair in pairs if not find_contrasts(*pair)]
    assert len(pairs) > 600
    assert len(missed) / len(pairs) <= 0.03, missed


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        (
            "Enable dark mode at night",
            "Enable dark mode at night unless reading",
            ("", "unless reading"),
        ),
        ("Ana likes tea", "Ana does not like tea", ("likes", "not like")),
    ],
)
def test_a_side_names_only_words_that_its_text_has(
    left: str, right: str, shown: tuple[str, str]
) -> None:
    [contrast] = find_contrasts(left, right)
    assert (contrast.left, contrast.right) == shown


WORDS = st.sampled_from(
    """
    the a user not never only all of to from by was written Ana Bo prefers tabs spaces 8080 3.11 two
    or and every morning Monday v1.2 C++ , . ? 用户 不 喜欢 深色 主题 的
    在 从 到 被 只 每天 两个 三 点 2026年5月1日
    """.split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=40)


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_swapping_the_texts_swaps_the_sides(left: str, right: str) -> None:
    swapped = [(c.kind, c.right, c.left) for c in find_contrasts(right, left)]
    assert [(c.kind, c.left, c.right) for c in find_contrasts(left, right)] == swapped


@given(TEXTS)
@settings(deadline=None)
def test_no_text_contrasts_with_itself_or_with_another_spacing_of_itself(text: str) -> None:
    assert find_contrasts(text, text) == ()
    assert find_contrasts(text, text + " ") == ()
    assert held_alone(text, beside=text) == ()


@given(TEXTS, TEXTS)
@settings(max_examples=300, deadline=None)
def test_texts_that_each_hold_a_detail_alone_contrast(left: str, right: str) -> None:
    mine, theirs = details(left), details(right)
    if mine - theirs and theirs - mine:
        assert find_contrasts(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("工资是一百二", "工资是一百零二"),
        ("预算一共是三万五", "预算一共是三万零五"),
        ("冷库温度是-5度", "冷库温度是5度"),
        ("冷库温度是零下5度", "冷库温度是5度"),
        ("The temperature is \N{MINUS SIGN}5 in the store", "The temperature is 5 in the store"),
        ("The user cant use sudo on the server", "The user can use sudo on the server"),
        ("The user isnʼt an admin of the wiki", "The user is an admin of the wiki"),
        ("用户反对使用深色主题", "用户使用深色主题"),
        ("价格低于100元就买", "价格100元就买"),
        ("The team cancelled moving to Berlin", "The team is moving to Berlin"),
    ],
)
def test_a_sign_a_colloquial_number_or_a_reversing_word_contrasts(left: str, right: str) -> None:
    assert find_contrasts(left, right)
    assert find_contrasts(right, left)
