"""What a text names, and what only looks like a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.text.entities import (
    Entity,
    EntityKind,
    entity_key,
    extract_aliases,
    extract_entities,
)


def names(text: str) -> list[str]:
    return [entity.name for entity in extract_entities(text)]


def kind(text: str, name: str) -> EntityKind:
    [found] = [entity.kind for entity in extract_entities(text) if entity.name == name]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bob's dog is old.", ["Bob"]),
        ("I had lunch with Alice yesterday.", ["Alice"]),
        ("Alice prefers tea.", ["Alice"]),
        ("Alice and Bob went home.", ["Alice", "Bob"]),
        ("Alice's editor and Bob's shell", ["Alice", "Bob"]),
        ("Ana works at Acme.", ["Ana", "Acme"]),
        ("Recently Emily Watson moved to New York.", ["Emily Watson", "New York"]),
        ("We asked Dr. Emily Watson about it.", ["Emily Watson"]),
        ("I like the novels of J.K. Rowling.", ["J.K. Rowling"]),
        ("The cliffs are called Cliffs of Moher.", ["Cliffs of Moher"]),
        ("We drove along the Route des Grands Crus.", ["Route des Grands Crus"]),
        ("The sale is on Black Friday.", ["Black Friday"]),
        ("Harry visited the Harry Potter-related sights.", ["Harry", "Harry Potter"]),
        ("Иван Петров met John Doe", ["Иван Петров", "John Doe"]),
        ("Kőbánya", ["Kőbánya"]),
    ],
)
def test_capitals_are_names_where_the_grammar_says_so(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Using Python is fine", ["Python"]),
        ("GitHub Actions run our tests", ["GitHub", "GitHub Actions"]),
        ("we use TypeScript and PostgreSQL", ["TypeScript", "PostgreSQL"]),
        ("see next.config.js and pandas.DataFrame", ["next.config.js", "pandas.DataFrame"]),
        ("write it in C++, C# or .NET", ["C++", "C#", ".NET"]),
        ("ask GPT-4 about Python 3.12", ["GPT-4", "Python"]),
        ("pnpm, not npm; git in docker", ["pnpm", "npm", "git", "docker"]),
        ("DGIA is here, the APIs too", ["DGIA", "API"]),
        ("set MNEMO_HOME first", ["MNEMO_HOME"]),
        ("Prefers dark mode in VS Code", ["VS", "VS Code"]),
        ("项目使用 Vue 3 和 Python 3.12", ["Vue", "Python"]),
    ],
)
def test_identifiers_are_names_by_their_shape(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("张伟负责后端部署", ["张伟"]),
        ("张偉負責後端", ["张偉"]),
        ("晓哥喜欢喝茶", ["晓哥"]),
        ("老王说下周开会", ["老王"]),
        ("小李和王总去了北京", ["小李", "王总", "北京"]),
        ("李老师住在上海", ["李老师", "上海"]),
        ("李明和王芳去了杭州", ["李明", "王芳", "杭州"]),
        ("周末和陈静去爬山", ["陈静"]),
        ("我表哥李强是医生", ["李强"]),
        ("用户名叫林晓在杭州做后端开发", ["林晓", "杭州"]),
        ("欧阳娜娜说她想去", ["欧阳娜娜"]),
        ("他毕业于清华大学", ["清华大学"]),
        ("她住在江苏省苏州市", ["江苏省", "苏州市"]),
        ("飞书白兔 App 已于周一上线", ["飞书白兔"]),
    ],
)
def test_chinese_names_are_told_by_surname_title_and_neighbours(
    text: str, expected: list[str]
) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My name is Maria Lopez, call me Mia.", ["Maria Lopez", "Mia"]),
        ("我叫林晓", ["林晓"]),
        ("我的名字是小明。", ["小明"]),
        ("她妈妈叫李秀英，今年六十岁", ["李秀英"]),
    ],
)
def test_a_declared_name_is_one(text: str, expected: list[str]) -> None:
    assert names(text) == expected
    assert {entity.kind for entity in extract_entities(text)} == {EntityKind.PERSON}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't use 'tabs' here", ["tabs"]),
        ("他读了《设计模式》和「深色主题」", ["设计模式", "深色主题"]),
        ('I loved “The Nightingale” and "Deep Work"', ["The Nightingale", "Deep Work"]),
        ('a book, "Wild: From Lost to Found on the Trail", is here', []),
        ('she said "I don\'t know" and "just in case"', []),
        ("被称为“这是2005年的数据”", []),
        ("it's the users' and the dogs' turn", []),
        ("5'11\" tall and 6'2\" tall", []),
    ],
)
def test_what_stands_in_marks_is_a_name_and_an_apostrophe_is_none(
    text: str, expected: list[str]
) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "他叫了外卖和咖啡",
        "他叫什么名字",
        "小程序的高峰期",
        "老方法和小金额",
        "王总结了一下",
        "明白了，马上去",
        "从小李家的习惯",
        "南方吴方言和别的方言",
        "它的蹄是张开的",
        "A. Broadening the scope\nB. Ensuring that it works",
        "手机银行 App 更新了",
        "在加盟时签字",
        "这座城市很大",
        "run redis-cli with '--tls-max-v1.2'",
        "connect to 10.0.0.1 with -p 22 --verbose",
        "open ~/code/Projects/Foo.txt and https://Example.com/Path",
        "write to Bob.Smith@Example.com or @Alice or $HOME",
        "No X/Y/Z HQ",
        "IMPORTANT: NEVER PUSH TO MAIN",
        "Today is Monday. Everyone likes it. It's fine.",
        "Testing takes time. Coffee is good. Use tabs.",
        "We meet on Tuesdays in May at 5 PM.",
        "My mom and the President said OK.",
        "How To Build A Great Team In Remote Companies Today",
        "see chapter 3, e.g. the end.Then go on",
        "1.2.3 and v2.0 and 2024-05-01",
        "",
        " \n\t",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert names(text) == []


def test_each_name_is_given_once_however_it_is_spelt() -> None:
    found = extract_entities("We met Zoé. I like Zoe. the Blue-Whale repo is for Blue Whale users")
    assert [entity.key for entity in found] == ["zoe", "blue whale"]


def test_the_kind_says_what_the_text_says() -> None:
    text = "Project Atlas was shown to Alice's team at the University of Oslo near Hyde Park"
    assert kind(text, "Atlas") is EntityKind.PROJECT
    assert kind(text, "Alice") is EntityKind.PERSON
    assert kind(text, "University of Oslo") is EntityKind.ORGANISATION
    assert kind(text, "Hyde Park") is EntityKind.PLACE
    assert kind("他读了《设计模式》", "设计模式") is EntityKind.TITLE
    assert kind("we chose TypeScript", "TypeScript") is EntityKind.TECHNOLOGY
    assert kind("the gift is for Alice", "Alice") is EntityKind.TOPIC


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("我们用持续集成（CI）部署", [("持续集成", "CI")]),
        ("Continuous Integration (CI) is on", [("Continuous Integration", "CI")]),
        ("PostgreSQL, also known as Postgres, is fine", [("PostgreSQL", "Postgres")]),
        ("I met Robert aka Bob", [("Robert", "Bob")]),
        ("北京大学简称北大", [("北京大学", "北大")]),
        ("Kubernetes（容器编排）", [("Kubernetes", "容器编排")]),
        ("the meeting (Monday) and foo (bar)", []),
        ("今天（周一）开会", []),
        ("我去了北京（BJ）和上海", [("北京", "BJ")]),
        ("", []),
    ],
)
def test_two_names_for_one_thing_are_a_pair(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(extract_aliases(text)) == pairs


def test_a_key_folds_what_does_not_tell_names_apart() -> None:
    keys = {entity_key(name) for name in ("Some-Project", "some project", "ＳＯＭＥ＿project ")}
    assert keys == {"some project"}
    assert entity_key("張偉") == entity_key("张伟")
    assert entity_key("C++") != entity_key("C")
    assert entity_key("--") != ""


# Texts of the stuff that names are made of, and of anything at all.
_PIECES = st.sampled_from(
    str.split("""
    Alice Bob's GitHub C++ .NET 《 》 「 」 " ' ( ) （ ） aka 又名 张伟 小李 我叫 和 在 北京 3.12 .
    ， -x
    """)
)
_TEXTS = st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=12).map(" ".join))


@given(_TEXTS)
def test_any_text_may_be_read(text: str) -> None:
    found = extract_entities(text)
    assert len({entity.key for entity in found}) == len(found)
    for entity in found:
        assert entity.name in text
        assert entity == Entity(entity.name, entity.kind, entity_key(entity.name))
    for name, alias in extract_aliases(text):
        assert name in text
        assert alias in text


@given(_TEXTS, st.sampled_from(["", " ", "\n", "  \n"]), st.sampled_from(["", " ", "\n"]))
def test_white_space_around_a_text_changes_nothing(text: str, before: str, after: str) -> None:
    text = text.strip()
    assert extract_entities(f"{before}{text}{after}") == extract_entities(text)
