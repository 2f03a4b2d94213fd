"""What runs by itself after a start: learns, dreams when it is time, says so, and never fails."""

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mnemo import times
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store
from mnemo.upkeep import run_after_startup
from tests.store.scratch import Sql, fill

LOVED = {"content": "loved", "retrieval_count": 50, "helpful_count": 20}
OVERLAPPING = (
    "编码规范：函数不超过 40 行，变量用 snake_case，提交前运行 linter",
    "编码规范：函数不超过 40 行，变量用 snake_case",
)


@pytest.fixture(autouse=True)
def filled(settings: Settings) -> None:
    with closing(Store(settings.database, now=times.utc_now())) as store:
        fill(store, [LOVED, *OVERLAPPING])


@pytest.fixture
def start(settings: Settings) -> Callable[..., list[str]]:
    def run(settings: Settings = settings, *, stop: bool = False) -> list[str]:
        said: list[str] = []
        told = threading.Event()
        if stop:
            told.set()
        run_after_startup(settings, told, say=said.append)
        return said

    return run


def days_ago(days: float) -> str:
    return times.stamp(times.utc_now() - timedelta(days=days))


def test_a_start_learns_and_says_so_in_one_line(start: Callable[..., list[str]], sql: Sql) -> None:
    [line] = start()
    assert line.startswith("mnemo: learned")
    assert "1 promoted" in line
    assert "\n" not in line
    assert sql("SELECT round(trust_score, 2) FROM facts WHERE fact_id = 1") == [(0.55,)]
    assert sql("SELECT actor FROM operations WHERE kind = 'learn'") == [("system",)]
    assert sql("SELECT action, actor FROM audit_log") == [("AUTO-LEARN", "system")]


def test_a_start_without_news_says_so_too(start: Callable[..., list[str]]) -> None:
    start()
    [line] = start()
    assert "0 promoted, 0 demoted, 0 aged, 3 unchanged" in line


def test_the_next_learning_on_request_tells_what_a_start_did(
    start: Callable[..., list[str]], settings: Settings
) -> None:
    start()
    memory = Memory(settings)
    assert memory.learn().promoted == 1
    memory.close()


@pytest.mark.parametrize("key", ["first_start", "last_dream_at"])
def test_a_start_dreams_when_a_week_is_over(
    start: Callable[..., list[str]], sql: Sql, key: str
) -> None:
    sql("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, days_ago(7.01))
    learned, dreamed = start()
    assert learned.startswith("mnemo: learned")
    assert dreamed.startswith("mnemo: dreamed")
    assert sql("SELECT actor FROM operations WHERE kind = 'dream'") == [("system",)]
    assert sql("SELECT status FROM facts WHERE fact_id = 3") == [("merged",)]
    assert len(start()) == 1


@pytest.mark.parametrize("key", ["first_start", "last_dream_at"])
def test_a_start_does_not_dream_before(start: Callable[..., list[str]], sql: Sql, key: str) -> None:
    sql("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, days_ago(6.99))
    assert len(start()) == 1
    assert sql("SELECT count(*) FROM operations WHERE kind = 'dream'") == [(0,)]


def test_a_person_can_turn_the_dreams_off(
    start: Callable[..., list[str]], settings: Settings, sql: Sql
) -> None:
    sql("UPDATE meta SET v = ? WHERE k = 'first_start'", days_ago(100))
    never = settings.preferences.model_copy(update={"auto_dream_days": 0.0})
    assert len(start(replace(settings, preferences=never))) == 1


def test_a_dream_that_nobody_asked_for_retires_a_tenth_at_most(
    start: Callable[..., list[str]], settings: Settings, sql: Sql
) -> None:
    with closing(Store(settings.database, now=times.utc_now())) as store:
        fill(store, [f"第 {n} 台服务器由 {n} 号小组维护，负责人每周轮换" for n in range(10)] * 2)
    sql("UPDATE meta SET v = ? WHERE k = 'first_start'", days_ago(8))
    start()
    assert sql("SELECT count(*) FROM facts WHERE status = 'merged'") == [(2,)]


@pytest.mark.parametrize(
    ("value", "runs"), [("1", False), ("true", False), ("0", True), ("", True)]
)
def test_the_environment_turns_everything_off(
    start: Callable[..., list[str]], settings: Settings, sql: Sql, value: str, runs: bool
) -> None:
    environment = {
        "MNEMO_HOME": str(settings.home),
        "MNEMO_DB_PATH": str(settings.database),
        "MNEMO_NO_AUTO": value,
    }
    assert bool(start(Settings.load(environment))) is runs
    assert sql("SELECT count(*) FROM operations WHERE kind = 'learn'") == [(int(runs),)]


def test_what_is_told_to_stop_does_not_begin_to_dream(
    start: Callable[..., list[str]], settings: Settings, sql: Sql
) -> None:
    sql("UPDATE meta SET v = ? WHERE k = 'first_start'", days_ago(8))
    start(stop=True)
    assert sql("SELECT count(*) FROM operations WHERE kind = 'dream'") == [(0,)]
    assert not (settings.home / "backup").exists()
    start()
    assert sql("SELECT status FROM facts WHERE fact_id = 3") == [("merged",)]


def test_waiting_facts_are_indexed(start: Callable[..., list[str]], sql: Sql) -> None:
    sql("INSERT INTO facts(content) VALUES ('written elsewhere')")
    start()
    assert sql("SELECT count(*) FROM dirty") == [(0,)]


def test_a_database_that_cannot_be_used_is_said_in_one_line(
    start: Callable[..., list[str]], tmp_path: Path
) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("somebody's notes, no database")
    [line] = start(Settings(home=tmp_path, database=other))
    assert line.startswith("mnemo: upkeep after startup stopped")
    assert str(other) in line
    assert other.read_text() == "somebody's notes, no database"


def test_a_dream_that_another_process_is_at_is_left_to_it(
    start: Callable[..., list[str]], settings: Settings, sql: Sql
) -> None:
    sql("UPDATE meta SET v = ? WHERE k = 'first_start'", days_ago(8))
    soon = times.stamp(times.utc_now() + timedelta(minutes=5))
    sql(
        "INSERT INTO meta VALUES ('lock:dream', ?)",
        f'{{"host": "elsewhere", "pid": 1, "expires": "{soon}"}}',
    )
    lines = start()
    assert lines[0].startswith("mnemo: learned")
    assert "another dream is running" in lines[1]
    assert sql("SELECT count(*) FROM operations WHERE kind = 'dream'") == [(0,)]
