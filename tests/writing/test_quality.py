"""What does not read like one short fact, and what becomes of it under each setting of the gate."""

from collections.abc import Callable

import pytest

from mnemo.errors import InvalidInput
from mnemo.memory import Memory
from mnemo.models import AddReply
from mnemo.writing.add import NewFact
from mnemo.writing.quality import flaws_of
from mnemo.writing.update import Edit

Add = Callable[..., AddReply]

SEVERAL_TOPICS = (
    "服务器在 192.168.1.10，用 Docker Compose 部署",
    "The box 10.0.42.7 runs under Kubernetes",
    "Run npm install first, the API is at 10.0.42.7",
    "部署架构见文档，依赖用 pip install -r requirements.txt 安装",
    "The admin password is Xk29-fq7, and docker-compose starts everything",
)
ONE_PROJECTS = (
    "服务端口：Qdrant:6333、Grafana:3000、FastAPI:8000",
    "Redis on port 6379, Postgres on port 5432",
    "The code lies in /home/dev/shop-api/src/main.py",
    "/home/<user>/<project>/ 是代码目录",
    "Logs are written to /opt/shop/current/log",
    "The project needs Docker Compose v2",
)
ONE_FACT = (
    "用户习惯用 ssh 连接并用 pip 安装包",
    "用户用 nginx 做反代，密码管理器用 Bitwarden",
    "The team has token-based auth and npm workspaces",
    "The user prefers Docker for deployment",
    "用户偏好用 Docker Compose 在 10.0.0.5 上部署",
    "I have decided to run it with Docker Compose and npm install",
    "用户的 dotfiles 在 /home/me/dotfiles/nvim/ 里",
    "The editor is set up in /home/me/.config/nvim/init.lua",
    "The staging database is at 10.0.42.7:5432",
    "The wifi password is Xk29-fq7 and the router's token is abcd1234efgh5678",
    "Packages are installed with npm install, never with yarn add",
    "The dashboard is Grafana:3000",
    "安娜（2001 年出生）和弟弟 Max（2003 年出生）",
    "The meeting is at 15:30, the next one at 16:30",
    "It costs 1500, or EUR 1200",
)


def flaws(content: str, *, summary: str = "", project_id: str = "") -> list[str]:
    return [f.what for f in flaws_of(content, summary=summary, project_id=project_id)]


@pytest.mark.parametrize("content", SEVERAL_TOPICS)
def test_strong_signs_of_two_kinds_are_several_things(content: str) -> None:
    [flaw] = flaws(content)
    assert flaw.startswith("content speaks of several things (")


@pytest.mark.parametrize("content", ONE_PROJECTS)
def test_what_describes_one_project_is_told(content: str) -> None:
    [flaw] = flaws(content)
    assert flaw.startswith("content holds ")
    assert flaws(content, project_id="shop") == []


@pytest.mark.parametrize("content", ONE_FACT)
def test_one_fact_has_no_flaw(content: str) -> None:
    assert flaws(content) == []


def test_only_what_has_no_summary_is_long() -> None:
    assert flaws("字" * 300) == []
    assert "301 characters" in flaws("字" * 301)[0]
    assert flaws("字" * 301, summary="短") == []


# -- through the memory ---------------------------------------------------------------------------


def test_by_default_a_flaw_is_a_hint(add: Add) -> None:
    reply = add("服务器在 192.168.1.10，用 Docker Compose 部署")
    assert reply.status == "added"
    assert reply.warnings == ()
    [hint] = reply.hints
    assert "(an address, how services run)" in hint


def test_with_the_gate_off_nothing_is_said(memory: Memory, add: Add) -> None:
    memory.set_config("quality_gate", "off")
    assert add("服务器在 192.168.1.10，用 Docker Compose 部署").hints == ()


@pytest.fixture
def strict(memory: Memory) -> Memory:
    memory.set_config("quality_gate", "reject")
    return memory


def test_a_gate_that_rejects_counts_to_three_hundred(strict: Memory) -> None:
    long, short = strict.add(NewFact("x" * 350), NewFact("y" * 300))
    assert isinstance(long, InvalidInput)
    assert "350 characters" in long.message
    assert "nothing was stored" in long.message
    assert isinstance(short, AddReply)


def test_of_several_only_the_bad_one_is_rejected(strict: Memory) -> None:
    answers = strict.add(
        NewFact("The kettle is blue"), NewFact(SEVERAL_TOPICS[0]), NewFact("The cup is red")
    )
    assert [isinstance(answer, AddReply) for answer in answers] == [True, False, True]
    assert strict.list().total == 2


@pytest.mark.parametrize(
    ("content", "is_kept"),
    [
        ("服务器 192.168.1.10 用 Docker Compose 部署", False),
        ("服务器密码是 abc12345，SSH token 是 Zx81-99ab-77cd", True),
        ("The npm account is mnemo-dev, publish with npm publish", True),
        ("服务列表：Qdrant:6333, Prometheus:9090, FastAPI:8000", False),
        ("User prefers Docker for deployment", True),
        ("The project lives in /home/dev/shop/", False),
    ],
)
def test_the_gate_rejects_what_two_strong_signs_say(
    strict: Memory, content: str, is_kept: bool
) -> None:
    [answer] = strict.add(NewFact(content))
    assert isinstance(answer, AddReply) is is_kept


def test_the_gate_comes_before_the_search_for_duplicates(memory: Memory, add: Add) -> None:
    add(SEVERAL_TOPICS[0])
    memory.set_config("quality_gate", "reject")
    [answer] = memory.add(NewFact(SEVERAL_TOPICS[0]))
    assert isinstance(answer, InvalidInput)


def test_an_update_is_judged_by_its_new_content_alone(memory: Memory, add: Add) -> None:
    add(SEVERAL_TOPICS[0])
    assert memory.update(1, Edit(tags="a")).hints == ()
    [hint] = memory.update(1, Edit(content=SEVERAL_TOPICS[1])).hints
    assert "several things" in hint
    memory.set_config("quality_gate", "reject")
    assert memory.update(1, Edit(tags="b")).updated
    with pytest.raises(InvalidInput, match="several things"):
        memory.update(1, Edit(content=SEVERAL_TOPICS[2]))
