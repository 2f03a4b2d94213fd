"""Chinese words are jieba's own, whatever holds its dictionary, and nothing is heard of it."""

import json
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from mnemo.text import han

OWN_SENTENCES = str.split(
    """
用户偏好深色主题，编辑器是 VS Code。 数据库连接池的上限是二十个连接，不要改。
修改youer服务端的计划还没有定下来。 我把用户身份加入白名单了。
昨天的聊天记录记忆断裂问题已经修复。 即适者生存，生存等于正确的道理。
止损线设在百分之五，超过就平仓。 医生说他的身体很健康，只是睡得太少。
我表哥在浙江杭州上班，是做软件测试的。 张欣怡她是会计，去年从深圳搬到了南京。
小明硕士毕业于中国科学院计算所，后在日本京都大学深造。 结婚的和尚未结婚的都要登记。
南京市长江大桥昨天临时封闭。 乒乓球拍卖完了，明天再来吧。
他来到了网易杭研大厦。 工信处女干事每月经过下属科室都要亲口交代交换机等技术性器件的安装工作。
这个程序员写的代码像诗一样。 请在三点之前把报告发给李总，别忘了抄送我。
下雨天留客天留我不留。 武汉市长江大桥欢迎您。
别用 root 用户运行服务，要用普通账号。 他不吃辣，也不喝酒，从不熬夜。
端口八千零八十被占用了，换一个。 二〇二三年五月八日，我们签了合同。
生日是八月十四号，血型是O型。 黎曼猜想至今没有被证明。
他说的确实在理，我无话可说。 北京大学生前来应聘，面试安排在周五。
这几块地面积还真不小。 研究生命的起源是很有意思的课题。
美国会通过对台售武法案吗？ 当原子结合成分子时会放出能量。
自动化测试覆盖率低于八成就不许合并。 代码审查时先看测试再看实现。
饿了么和美团都能送到，配送费不一样。 魑魅魍魉，四个小鬼各自不同。
一行行行行行，一行不行行行不行。 他的外号叫阿猫，真名王建国。
购物车里的耳机降价了，快去下单。 我妈妈喜欢跳广场舞，爸爸爱钓鱼。
机器学习模型的超参数写在配置文件里。 内存泄漏是因为监听器没有移除。
孩子们在公园里放风筝。 老师布置的作业太多了。
语音识别的准确率提高到百分之九十八。 上海自来水来自海上。
图书馆周一闭馆，周二到周日开放。 我们决定不再使用那家供应商。
缓存命中率从六成升到九成。 他把钥匙忘在出租车上了。
鸡蛋灌饼加两个蛋，不要香菜。 银行行长在行会上发言。
吴敏霞和何姿搭档拿了冠军。 这条河流经四个省，最后注入东海。
密码每九十天换一次，不能和前五次相同。 她对花生过敏，对猫毛不过敏。
火锅底料要牛油的，麻酱多一点。 雷峰塔倒了以后又重建了。
人要是行，干一行行一行。 谷歌翻译把这句话译错了。
"""
)


def sentences() -> list[str]:
    """Real texts where the folder of data sets is at hand, else our own."""
    folder = os.environ.get("MNEMO_DATA")
    if not folder:
        return OWN_SENTENCES
    texts: list[str] = []
    for name in ("cmrc_sent_zh", "memdaily_zh"):
        with (Path(folder) / name / "corpus.jsonl").open(encoding="utf-8") as lines:
            texts += [json.loads(line)["text"] for line in islice(lines, 2000)]
    return texts


def han_runs(texts: list[str]) -> list[str]:
    return [run for text in texts for run in re.findall("[\u4e00-\u9fff]+", text)]


def run_python(script: str, *arguments: object, strict: bool = False) -> str:
    """Standard output of a script in a fresh process; nothing may come on standard error."""
    flags = ["-W", "error", "-X", "dev"] if strict else []
    done = subprocess.run(
        [sys.executable, *flags, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


CUT = """
import sys, pathlib
from mnemo.text import han
han.keep_dictionary_in(pathlib.Path(sys.argv[1]))
print(han.dictionary_name(), han.cut_for_search("数据库连接池"), han.word_class("喜欢"))
"""
EXPECTED = "['数据', '据库', '数据库', '连接', '连接池'] v\n"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the dictionary is kept already."""
    folder = tmp_path_factory.mktemp("kept")
    run_python(CUT, folder)
    return folder


def test_words_are_those_of_plain_jieba() -> None:
    import jieba

    plain = jieba.Tokenizer()
    with (Path(jieba.__file__).parent / "dict.txt").open("rb") as lines:
        plain.FREQ, plain.total = plain.gen_pfdict(lines)
    plain.initialized = True
    runs = han_runs(sentences())
    assert len(runs) > 90
    for run in runs:
        assert han.cut_for_search(run) == plain.lcut_for_search(run)
        assert han.cut(run) == plain.lcut(run)


def test_words_joined_are_the_run() -> None:
    for run in han_runs(OWN_SENTENCES):
        assert "".join(han.cut(run)) == run


def test_a_run_without_any_punctuation_is_cut_in_reasonable_time() -> None:
    run = "饕餮魑魅魍魉" * 5000
    assert "".join(han.cut(run)) == run


@pytest.mark.parametrize("run", ["", "猫", "〇", "々", "𠮷", "𠮷野家", "㐀㐁"])
def test_rare_characters_are_cut_like_any_other(run: str) -> None:
    assert "".join(han.cut(run)) == run


@pytest.mark.parametrize(
    ("word", "letter"),
    [("喜欢", "v"), ("同事", "n"), ("关于", "p"), ("不同", "a"), ("张欣怡", ""), ("", "")],
)
def test_a_word_has_the_class_of_the_dictionary(word: str, letter: str) -> None:
    assert han.word_class(word) == letter


@pytest.mark.process
def test_the_dictionary_is_kept_in_the_given_folder_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "cache"
    assert run_python(CUT, folder).endswith(EXPECTED)
    (file,) = folder.iterdir()
    assert file.name == f"{han.dictionary_name()}.trie"
    assert re.fullmatch(r"jieba-[\d.]+-\d+\.trie", file.name)
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700
    made = file.stat().st_mtime_ns
    assert run_python(CUT, folder).endswith(EXPECTED)
    assert file.stat().st_mtime_ns == made


@pytest.mark.process
@pytest.mark.parametrize("damage", ["truncated", "foreign", "empty", "one byte"])
def test_a_damaged_dictionary_is_made_anew(kept: Path, tmp_path: Path, damage: str) -> None:
    (sound,) = kept.iterdir()
    whole = sound.read_bytes()
    file = tmp_path / sound.name
    broken = {
        "truncated": whole[: len(whole) // 2],
        "foreign": os.urandom(4096),
        "empty": b"",
        "one byte": whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:],
    }
    file.write_bytes(broken[damage])
    assert run_python(CUT, tmp_path).endswith(EXPECTED)
    assert file.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.process
def test_a_folder_that_cannot_be_written_costs_time_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run_python(CUT, tmp_path / "file" / "cache").endswith(EXPECTED)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.process
def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", CUT, str(tmp_path)], stdout=subprocess.PIPE, encoding="utf-8"
        )
        for _ in range(2)
    ]
    assert all(process.communicate()[0].endswith(EXPECTED) for process in started)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.process
def test_nothing_is_heard_of_jieba_and_no_shared_cache_is_touched(
    kept: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    planted = shared / "jieba.cache"
    planted.write_bytes(b"not ours")
    script = (
        """
import os, sys, tempfile, logging
tempfile.tempdir = os.environ["TMPDIR"] = sys.argv[2]
sys.pycache_prefix = sys.argv[2] + "/pyc"
logging.basicConfig(level=logging.DEBUG)
before = set(sys.modules)
"""
        + CUT
        + """
assert "pkg_resources" not in sys.modules or "pkg_resources" in before
"""
    )
    assert run_python(script, kept, shared, strict=True).endswith(EXPECTED)
    assert planted.read_bytes() == b"not ours"
    assert {path.name for path in shared.iterdir()} <= {"jieba.cache", "pyc"}


@pytest.mark.process
def test_jieba_is_imported_at_the_first_run_of_han_characters(kept: Path) -> None:
    script = """
import sys, pathlib
from mnemo.text import han, tokens
han.keep_dictionary_in(pathlib.Path(sys.argv[1]))
tokens.tokens_version(), tokens.tokenize_for_dedup("plain English")
tokens.index_tokens("plain English, しりとり")
print("jieba" in sys.modules, "marisa_trie" in sys.modules)
tokens.index_tokens("中文")
print("jieba" in sys.modules)
"""
    assert run_python(script, kept) == "False False\nTrue\n"


@pytest.mark.process
def test_threads_that_ask_together_wait_for_one_dictionary(kept: Path) -> None:
    script = """
import sys, pathlib
from concurrent.futures import ThreadPoolExecutor
from mnemo.text import han
han.keep_dictionary_in(pathlib.Path(sys.argv[1]))
with ThreadPoolExecutor(16) as pool:
    print(len(set(map(tuple, pool.map(han.cut_for_search, ["数据库连接池"] * 16)))))
"""
    assert run_python(script, kept) == "1\n"


@pytest.mark.process
def test_without_the_trie_the_words_are_the_same(tmp_path: Path) -> None:
    script = """
import json, sys, pathlib
sys.modules["marisa_trie"] = None
from mnemo.text import han
han.keep_dictionary_in(pathlib.Path(sys.argv[1]))
runs = json.loads(sys.argv[2])
words = [[han.cut_for_search(r), [han.word_class(w) for w in han.cut(r)]] for r in runs]
print(json.dumps([han.dictionary_name(), words]))
"""
    runs = han_runs(OWN_SENTENCES)
    name, words = json.loads(run_python(script, tmp_path / "cache", json.dumps(runs)))
    assert name == han.dictionary_name()
    assert words == [[han.cut_for_search(r), [han.word_class(w) for w in han.cut(r)]] for r in runs]
    assert not (tmp_path / "cache").exists()


@pytest.mark.process
def test_without_jieba_there_are_no_words_but_pairs_still_match() -> None:
    script = """
import sys
sys.modules["jieba"] = None
from mnemo.text import han, tokens
print(han.dictionary_name(), han.cut_for_search("白名单"), han.word_class("喜欢"))
print(sorted(set(tokens.index_tokens("用户白名单")) & set(tokens.index_tokens("名单"))))
print(tokens.tokenize_for_dedup("白名单"))
print(tokens.tokens_version())
"""
    named, shared, dedup, version = run_python(script).splitlines()
    assert named == "none [] "
    assert shared == "['单', '名', '名单']"
    assert dedup == "('白', '名', '单')"
    assert "jieba" not in version
