"""What a text is found by, and what it is compared by."""

import re
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemo.text import han
from mnemo.text.english import MAX_TOKEN
from mnemo.text.normal import fold
from mnemo.text.stopwords import NEGATORS, STOP_WORDS, recalls
from mnemo.text.tokens import (
    index_tokens,
    jaccard_similarity,
    tokenize_for_dedup,
    tokens_version,
)

# Letters of many scripts, marks, emoji, digits, punctuation: more often what breaks a tokeniser.
MIXED_TEXT = st.text(
    st.one_of(
        st.sampled_from("aZ09_-./\\:@+#*=&'\u2019\u02bc% \n\t"),
        st.sampled_from(
            "中文没有三十万点的，。「承認フロー끝말がﾊﾞ８Ａß\u0301\u3099\u200d\ufe0f👍🏽👨🇨🇳กำक्षمّ"
        ),
        st.characters(),
    )
)
PLAIN_TEXT = st.text(st.sampled_from("abcXYZ 019中文数据库用户，。-_.'"), max_size=40)


def shared(query: str, text: str) -> set[str]:
    return set(index_tokens(query)) & set(index_tokens(text))


@given(MIXED_TEXT)
@example("x" * 70_000)
@example("中" * 3000)
@example("a-" * 3000)
@example("'" * 3000)
@example("ﷺ" * 80)
@example("aZ9" * 3000)
@example("1,234" + ",567" * 3000)
@example("9" * 5000 + "万")
@example("百分之" + "九" * 5000)
@example("九" * 5000)
@example("9" * 5000 + "%")
@example("http://" * 3000)
@settings(deadline=None)
def test_a_token_fits_an_index_that_parts_at_spaces(text: str) -> None:
    for token in (*index_tokens(text), *tokenize_for_dedup(text)):
        assert 0 < len(token) <= MAX_TOKEN
        assert not re.search(r"[\s\"'\u2019]", token)
        assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in token)
        token.encode()


@given(MIXED_TEXT)
@settings(deadline=None)
def test_tokens_do_not_see_the_unicode_form(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC"):
        other = unicodedata.normalize(form, text)
        assert index_tokens(other) == index_tokens(text)
        assert tokenize_for_dedup(other) == tokenize_for_dedup(text)


def full_width(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


@given(PLAIN_TEXT)
@settings(deadline=None)
def test_tokens_do_not_see_the_width(text: str) -> None:
    assert index_tokens(full_width(text)) == index_tokens(text)


@given(st.text(st.sampled_from("abcXYZ 019-_./:@'+#,"), max_size=40))
@settings(deadline=None)
def test_an_english_text_has_the_same_tokens_beside_chinese(text: str) -> None:
    assert index_tokens(f"{text} 中")[:-1] == index_tokens(text)


@given(PLAIN_TEXT)
@settings(deadline=None)
def test_every_word_of_a_text_finds_it(text: str) -> None:
    tokens = set(index_tokens(text))
    for run in re.findall("[\u4e00-\u9fff]+", text):
        assert {word for word in han.cut_for_search(run) if word in tokens} == set(
            han.cut_for_search(run)
        )
    for word in text.split():
        if re.search(r"[^\W_]", word):
            assert tokens & set(index_tokens(word))


@given(MIXED_TEXT)
@settings(deadline=None)
def test_dedup_tokens_of_the_same_text_are_alike(text: str) -> None:
    tokens = tokenize_for_dedup(text)
    assert jaccard_similarity(tokens, tokenize_for_dedup(text)) == (1.0 if tokens else 0.0)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("修改youer服务端的计划", "youer"),
        ("修改youer服务端的计划", "youer 服务端 修改"),
        ("修改youer服务端的计划", "服务"),
        ("昨天的聊天记录记忆断裂问题", "记忆断裂"),
        ("即适者生存，生存等于正确的道理", "适者生存"),
        ("即适者生存，生存等于正确的道理", "正确"),
        ("止损线设在百分之五", "止损"),
        ("他的身体很健康", "健康"),
        ("今日は成語しりとりをした", "しりとり"),
        ("오늘 끝말잇기 게임을 했다", "끝말잇기"),
        ("承認フローを変更した", "承認フロー"),
        ("我把用户身份加入白名单了", "白名单"),
        ("我把用户身份加入白名单了", "名单"),
        ("我把用户身份加入白名单了", "「用户身份」"),
        ("我喜欢小猫咪", "猫"),
        ("端口８０８０，Ｐｙｔｈｏｎ３", "8080"),
        ("端口８０８０，Ｐｙｔｈｏｎ３", "Python3"),
        ("端口８０８０，Ｐｙｔｈｏｎ３", "python 3"),
        ("他住在14号楼", "14"),
        ("折扣100%", "100%"),
        ("編輯器用深色主題", "编辑器"),
        ("编辑器用深色主题", "編輯器"),
        ("cafe\u0301 re\u0301sume\u0301", "café"),
        ("café résumé", "cafe"),
        ("κόσμος", "κοσμος"),
        ("ΚΟΣΜΟΣ", "κόσμος"),
        ("Straße", "strasse"),
        ("Ёлка", "елка"),
        ("สวัสดีชาวโลก", "ชาวโลก"),
        ("हिन्दी में", "हिन्दी"),
        ("getShippingMethodIdFromCheckout is slow", "checkout"),
        ("getShippingMethodIdFromCheckout is slow", "shipping method"),
        ("getShippingMethodIdFromCheckout is slow", "getshippingmethodidfromcheckout"),
        ("class HTTPServerError", "http server"),
        ("the userID column", "user id"),
        ("uteke-cloud-dev runs ADR-0005", "uteke-cloud-dev"),
        ("uteke-cloud-dev runs ADR-0005", "ADR-0005"),
        ("table sp_new1 dropped", "sp_new"),
        ("a_b_c", "a_b_c"),
        ("see src/main.py", "main.py"),
        ("mail alice@example.com", "example.com"),
        ("mail alice@example.com", "alice"),
        ("std::vector", "vector"),
        ("my-app.config.ts", "my-app"),
        ("run test_*.py", "test_*.py"),
        ("10.1.2.3:8443 answers", "10.1.2.3"),
        ("10.1.2.3:8443 answers", "8443"),
        ("released v1.2.3", "1.2.3"),
        ("see https://example.com/docs/a.html?x=1.", "https://example.com/docs/a.html?x=1"),
        ("see https://example.com/docs/a.html?x=1.", "example.com"),
        ("ticket #123 costs $5", "#123"),
        ("ticket #123 costs $5", "5"),
        ("1,000 facts", "1000"),
        ("waits 120ms", "120"),
        ("on the 15th", "15"),
        ("Alice's editor", "Alice"),
        ("Alice\u2019s editor", "alice's"),
        ("O'Brien called", "obrien"),
        ("I don't eat", "not"),
        ("I dont eat", "not"),
        ("you cannot", "can't"),
        ("C++17 code", "C++"),
        ("ASP.NET Core", "asp.net"),
        ("likes 👍🏽 a lot", "👍"),
        ("the 👨‍👩‍👧 at home", "👧"),
        ("made in 🇨🇳", "🇨🇳"),
        ("__init__.py is empty", "init.py"),
        ("deployment rollback happened", "what happened with the rollback"),
    ],
)
def test_a_text_is_found_by(text: str, query: str) -> None:
    assert shared(query, text)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Likes C", "C++"),
        ("Likes C++", "C#"),
        ("Likes C#", "c"),
        ("F sharp", "F#"),
        ("net weight", ".NET"),
        ("x" * 70_000, "x" * 200_000),
        ("🇨🇳", "🇨🇦"),
        ("かき", "がき"),
        ("latest client", "测试"),
        ("latest client", "cli test"),
        ("finals", "final"[:3]),
    ],
)
def test_a_text_is_not_found_by(text: str, query: str) -> None:
    assert not shared(query, text)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("承認フロー", "承認フローを変更した", "フロアを変更した"),
        ("my-proxy", "my-proxy listens on 8443", "my dog listens to me"),
        ("Java", "Likes Java", "Likes JavaScript"),
        ("v1.2.3", "released v1.2.3", "released v1.3.2"),
        ("10.0.3.21", "host 10.0.3.21", "host 10.0.3.12"),
        ("白名单", "加入白名单", "加入黑名单"),
    ],
)
def test_the_nearer_text_shares_more(query: str, near: str, far: str) -> None:
    tokens = index_tokens(query)
    assert jaccard_similarity(tokens, index_tokens(near)) > jaccard_similarity(
        tokens, index_tokens(far)
    )


@pytest.mark.parametrize(
    "text", ["", " \n", "!?。，…", "\"'«»", "->=>", "\u200d\ufe0f\u0301", "\0\x1b"]
)
def test_punctuation_has_no_tokens(text: str) -> None:
    assert index_tokens(text) == []
    assert tokenize_for_dedup(text) == ()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("服务端", ["服务", "服务端", "服务", "务端", "服", "务", "端"]),
        ("猫", ["猫"]),
        ("フロア", ["フロ", "ロア"]),
        ("し", ["し"]),
        ("Running tests", ["run", "test"]),
        ("running the running", ["run", "the", "run"]),
        ("C++, C# and .NET", ["c++", "c#", "and", ".net"]),
        ("C/C++", ["c/c++", "c", "c++"]),
        ("C++17", ["c++17", "c++"]),
        ("C/C++17", ["c/c++17", "c", "c++17", "c++"]),
        ("i++", ["i++"]),
        ("1+1", ["1+1", "1", "1"]),
        ("kebab-case", ["kebab-case", "kebab", "case"]),
        ("getUserId", ["getuserid", "get", "user", "id"]),
        ("URLs", ["url"]),
        ("10.0.3.21", ["10.0.3.21", "10", "0", "3", "21"]),
        ("v1.2.3", ["v1.2.3", "1.2.3", "1", "2", "3"]),
        ("端口8080", ["端口", "端口", "端", "口", "8080"]),
        ("Python3", ["python3", "python", "3"]),
        ("it doesn't", ["it", "does", "not"]),
        ("sha 3f2a9c1b7e", ["sha", "3f2a9c1b7e"]),
    ],
)
def test_tokens_come_in_text_order_and_repeat(text: str, tokens: list[str]) -> None:
    assert index_tokens(text) == tokens


def test_stop_words_and_negators_are_tokens_that_recall_nothing() -> None:
    for word in STOP_WORDS | NEGATORS:
        assert not recalls(word)
        if word.isascii() or len(word) == 1:
            assert index_tokens(word) == [word]
            assert tokenize_for_dedup(word) in ((word,), ())
    assert not recalls("我的")
    assert all(map(recalls, ("服务", "port", "5", "猫", "c++", "may", "禁止")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("下午三点开会", "下午3点开会"),
        ("他十五岁", "他15岁"),
        ("四千人", "4,000人"),
        ("三万元", "3万元"),
        ("30000元", "3万元"),
        ("1.5万人", "15000人"),
        ("第三次", "第3次"),
        ("两个端口", "2个端口"),
        ("two dogs", "2 dogs"),
        ("on the 15th", "on the 15"),
        ("at 08:30", "at 8:30"),
        ("签于2023年5月8日", "签于2023-05-08"),
        ("签于二〇二三年五月八日", "签于2023/5/8"),
        ("signed 8 May 2023", "signed 2023-05-08"),
        ("signed May 8, 2023", "signed 8th of May 2023"),
        ("在杭州上班呢", "在杭州上班"),
        ("我的同事他是研发副总监", "我的同事是研发副总监"),
        ("我表哥他在杭州上班", "我表哥在杭州上班"),
        ("Uses DARK themes", "use dark theme"),
        ("編輯器用深色主題", "编辑器用深色主题"),
        ("I don\u2019t", "I do not"),
        ("Alice's editor", "Alice editor"),
        ("身高162cm", "身高162 cm"),
        ("身高162厘米", "身高162cm"),
        ("a run of 5 minutes", "a run of 5 min"),
        ("占百分之五", "占5%"),
        ("李梅是我的邻居，其爱好是下棋", "李梅是我的邻居，爱好是下棋"),
        ("他今年五十岁了", "他今年50岁"),
        ("他是做木工的。", "他是做木工"),
    ],
)
def test_one_thing_said_in_two_notations_has_the_same_dedup_tokens(one: str, other: str) -> None:
    assert tokenize_for_dedup(one) == tokenize_for_dedup(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("9点开会", "3点开会"),
        ("A组", "B组"),
        ("喜欢香菜", "不喜欢香菜"),
        ("他吃辣", "他不吃辣"),
        ("deployment is allowed", "deployment is not allowed"),
        ("can", "can't"),
        ("port 8080", "port 8081"),
        ("v1.2.3", "v1.3.2"),
        ("10.0.3.21", "10.0.21.3"),
        ("我告诉妈妈他病了", "我告诉妈妈她病了"),
        ("我喜欢他的电影", "我喜欢她的电影"),
        ("这本关于他的书", "这本关于她的书"),
        ("他来吗", "他来"),
        ("十分好", "10分好"),
        ("有一点难", "有1点难"),
        ("30%", "30"),
        ("3天", "天"),
        ("他走了三天", "他走三天"),
        ("2023-05-01: latency 120 ms", "2023-05-02: latency 120 ms"),
    ],
)
def test_different_things_have_different_dedup_tokens(one: str, other: str) -> None:
    assert tokenize_for_dedup(one) != tokenize_for_dedup(other)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我把用户身份加入白名单了", "我 把 用户 身份 加入 名单 白名单"),
        ("他不吃辣，别用 root", "他 不 吃 辣 别 用 root"),
        ("getUserId at 10.1.2.3:8443 in src/main.py", "getuserid at 10.1.2.3:8443 in src/main.py"),
        ("see https://example.com/a.", "see https://example.com/a"),
        ("I like C++ 5 times", "i like c++ 5 time"),
        ("5月8日见，2023年5月", "05-08 见 2023-05"),
        ("占百分之五左右 30%", "占 5 % 左右 30 %"),
    ],
)
def test_dedup_tokens_are_words_and_whole_names(text: str, tokens: str) -> None:
    assert tokenize_for_dedup(text) == tuple(tokens.split())


@pytest.mark.parametrize(
    ("a", "b", "similarity"),
    [
        ([], [], 0.0),
        (["a"], [], 0.0),
        (["a", "b", "a"], ("b", "a"), 1.0),
        (["a", "b"], ["b", "c"], 1 / 3),
    ],
)
def test_jaccard_compares_sets(a: list[str], b: list[str], similarity: float) -> None:
    assert jaccard_similarity(a, b) == pytest.approx(similarity)
    assert jaccard_similarity(iter(b), iter(a)) == pytest.approx(similarity)


def test_the_version_names_what_tokens_depend_on() -> None:
    version = tokens_version()
    assert re.fullmatch(r"tokens-\d+ jieba-[\d.]+-\d+ ts-\d+ english-\d+", version)
    assert han.dictionary_name() in version


@pytest.mark.process
def test_stems_do_not_depend_on_a_compiled_stemmer_being_installed() -> None:
    script = """
import sys, types
Stemmer = types.ModuleType("Stemmer")
Stemmer.algorithms = list
Stemmer.Stemmer = None
sys.modules["Stemmer"] = Stemmer
from mnemo.text.tokens import index_tokens
print(index_tokens("generalizations of running"), "snowballstemmer" in sys.modules)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout == "['general', 'of', 'run'] False\n"


@given(st.text(st.characters(), max_size=30))
@settings(deadline=None)
def test_a_folded_text_has_the_tokens_of_lower_case(text: str) -> None:
    assert index_tokens(fold(text)) == index_tokens(fold(fold(text)))


def test_stems_are_right_when_threads_ask_together() -> None:
    from snowballstemmer.english_stemmer import EnglishStemmer

    ends = ("izations", "fulness", "ing", "edly", "ies", "ational", "ment", "ously")
    words = [f"{a}{b}{c}r{end}" for a in "bcdfg" for b in "aeiou" for c in "ktlmn" for end in ends]
    expected = [EnglishStemmer().stemWord(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            stems = list(pool.map(index_tokens, words))
    finally:
        sys.setswitchinterval(interval)
    assert stems == [[stem] for stem in expected]
