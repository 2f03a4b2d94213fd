"""Dream cycle: what a night's tidying merges, shortens and moves, and what it must leave alone."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.doors import CommandDoor, Door

pytestmark = pytest.mark.process

EVENING = "用户喜欢在晚上写代码"
EVENING_AND_MORE = "用户喜欢在晚上写代码和文档"
MORNING = "团队每天早上一起检查构建结果"
MORNING_AND_MORE = "团队每天早上一起检查构建结果和日志"

PAIRS = 150
CATEGORIES = {"identity", "coding_style", "tool_pref", "workflow", "general"}


def test_of_two_overlapping_facts_the_longer_stays(door: Door) -> None:
    """WHEN two facts of one category share more than 60 % of their words and one says all that the
    other says, THEN the longer one stays active with its text unchanged, the other is marked as
    merged into it, and the report names the pair.
    """
    door.call("add", content=EVENING)
    door.call("add", content=EVENING_AND_MORE)

    reply = door.call("dream")

    (pair,) = reply["merge_pairs"]
    assert (pair["kept"], pair["removed"]) == (2, 1)
    assert pair["similarity"] > 0.6
    assert door.sql("SELECT content, status, merged_into FROM facts ORDER BY fact_id") == [
        (EVENING, "merged", 2),
        (EVENING_AND_MORE, "active", None),
    ]


def test_facts_of_different_categories_are_never_merged(door: Door) -> None:
    """WHEN the same words stand in two categories, THEN a dream leaves both facts active."""
    door.call("add", content=EVENING, category="identity")
    door.call("add", content=EVENING_AND_MORE, category="workflow")

    assert door.call("dream")["merged"] == 0

    assert active(door) == [1, 2]


def test_facts_that_say_different_things_are_never_merged(door: Door) -> None:
    """WHEN two facts share nearly all words but differ in a number or in a negation, THEN a dream
    keeps both and lists the pair as a conflict that it skipped.
    """
    door.call("add", content="周会在 9 点开始")
    door.call("add", content="周会在 3 点开始")
    door.call("add", content=EVENING)
    door.call("add", content="用户不喜欢在晚上写代码")

    reply = door.call("dream")

    assert (reply["merged"], reply["deleted"]) == (0, 0)
    assert len(reply["skipped_conflicts"]) == 2
    assert active(door) == [1, 2, 3, 4]


def test_the_report_counts_groups_as_merged_and_facts_as_deleted(door: Door) -> None:
    """WHEN three facts overlap, THEN the report counts one merged group and two facts that were
    retired for it.
    """
    for content in (EVENING, EVENING_AND_MORE, "用户喜欢在晚上写代码和文档报告"):
        door.call("add", content=content)

    reply = door.call("dream")

    assert (reply["merged"], reply["deleted"]) == (1, 2)
    assert active(door) == [3]


def test_a_merged_fact_can_be_restored(door: Door) -> None:
    """WHEN a fact was merged into another by a dream, THEN it can be restored and is active again
    with its own text and id.
    """
    door.call("add", content=EVENING)
    door.call("add", content=EVENING_AND_MORE)
    door.call("dream")

    reply = door.call("restore", fact_id=1)

    assert reply == {"restored": True, "fact_id": 1, "from": "merged"}
    assert door.sql("SELECT content, status FROM facts WHERE fact_id = 1") == [(EVENING, "active")]


def test_a_long_fact_without_a_summary_gets_its_first_two_sentences(door: Door) -> None:
    """WHEN a fact of 250 characters has no summary, THEN a dream gives it a summary of its first
    two complete sentences, 150 characters at most, and leaves the content as it is. A point inside
    a number, a version or an address ends no sentence.
    """
    chinese = "部署分两步走，先在测试环境跑一遍完整的回归。确认没有告警之后，再由值班同事发布！"
    english = "The gateway at 10.1.2.3 runs v2.4.1 of the proxy. It restarts every night."
    contents = [
        (chinese + "旧的版本保留一周。" * 50)[:250],
        (english + " It has been so for a year now." * 10)[:250],
    ]
    for content in contents:
        door.call("add", content=content)

    assert door.call("dream")["compressed"] == 2

    assert door.sql("SELECT content, summary FROM facts ORDER BY fact_id") == [
        (contents[0], chinese),
        (contents[1], english),
    ]


def test_a_summary_that_somebody_wrote_is_kept(door: Door) -> None:
    """WHEN somebody replaced the summary that a dream had written, THEN the next dream leaves the
    new one as it is.
    """
    door.call("add", content="旧的版本保留一周。" * 30)
    door.call("dream")
    door.call("update", fact_id=1, summary="版本保留期")

    assert door.call("dream")["compressed"] == 0

    assert door.sql("SELECT summary FROM facts") == [("版本保留期",)]


def test_a_sentence_is_never_cut_to_make_a_summary(door: Door) -> None:
    """WHEN the first sentence of a long fact alone exceeds 150 characters, THEN a dream writes no
    summary and lists the fact instead.
    """
    door.call("add", content="面条" * 80 + "。" + "旧的版本保留一周。" * 10)

    reply = door.call("dream")

    assert reply["compressed"] == 0
    assert len(reply["skipped_too_long"]) == 1
    assert door.sql("SELECT summary FROM facts") == [(None,)]


def test_a_fact_in_the_wrong_category_is_moved(door: Door) -> None:
    """WHEN a fact about coding conventions is filed under identity, THEN a dream moves it to
    coding_style and the report says from where, to where and by which keyword.
    """
    door.call("add", content="编码规范：函数不超过四十行，变量用小写", category="identity")

    reply = door.call("dream")

    assert reply["reclassified"] == 1
    assert reply["reclassified_details"] == [
        {"id": 1, "from": "identity", "to": "coding_style", "keyword": "编码规范"}
    ]
    assert door.sql("SELECT category FROM facts") == [("coding_style",)]


def test_a_word_with_two_meanings_moves_nothing(door: Door) -> None:
    """WHEN a keyword is part of a compound that means something else, or is a weak one standing
    alone against the present category, THEN a dream leaves the fact where it is.
    """
    door.call("add", content="登录接口使用 JWT 做身份验证", category="general")
    door.call("add", content="这位客户偏好安静的办公室", category="identity")

    assert door.call("dream")["reclassified"] == 0

    assert door.sql("SELECT category FROM facts ORDER BY fact_id") == [("general",), ("identity",)]


def test_a_dream_begins_with_a_backup(door: Door) -> None:
    """WHEN a dream has something to change, THEN a file dream-<time>.db lies in the backup folder
    beside the database and holds the facts as they were before.
    """
    everything = "SELECT fact_id, content, category, summary, status FROM facts ORDER BY fact_id"
    door.call("add", content=EVENING)
    door.call("add", content=EVENING_AND_MORE)
    door.call("add", content="旧的版本保留一周。" * 30)
    before = door.sql(everything)

    reply = door.call("dream")

    backup = Path(reply["backup"])
    assert backup.parent == door.home / "backup"
    assert backup.match("dream-*.db")
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute(everything).fetchall() == before
    assert door.sql(everything) != before


def test_a_dream_reports_counts_and_health(door: Door) -> None:
    """WHEN a dream has run, THEN its reply has the counts merged, compressed, reclassified and
    deleted, and the health of the store: how many facts, their mean trust and length, and how many
    lie in each of the five categories. A second dream finds nothing left to do.
    """
    door.call("add", content=EVENING)
    door.call("add", content=EVENING_AND_MORE)
    door.call("add", content="The kettle is red", category="tool_pref")

    reply = door.call("dream")
    again = door.call("dream")

    counts = ("merged", "compressed", "reclassified", "deleted")
    assert [reply[count] for count in counts] == [1, 0, 0, 1]
    assert [again[count] for count in counts] == [0, 0, 0, 0]
    assert reply["health"]["total"] == 2
    assert reply["health"]["avg_trust"] == 0.5
    assert reply["health"]["avg_length"] == (len(EVENING_AND_MORE) + len("The kettle is red")) // 2
    coverage = reply["health"]["coverage"]
    assert coverage == dict.fromkeys(CATEGORIES, 0) | {"general": 1, "tool_pref": 1}


def test_the_command_runs_a_whole_dream_and_prints_its_report(command: CommandDoor) -> None:
    """WHEN mnemo dream is run with its output piped, as from a cron job, THEN it merges, shortens
    and moves what there is, prints the report as one JSON document on standard output, names the
    database, and exits with 0.
    """
    command.call("add", content=EVENING)
    command.call("add", content=EVENING_AND_MORE)
    command.call("add", content="旧的版本保留一周。" * 30)
    command.call("add", content="编码规范：函数不超过四十行，变量用小写", category="identity")

    finished = command.run("dream")

    assert finished.returncode == 0, finished.stderr
    report = json.loads(finished.stdout)
    counts = ("merged", "compressed", "reclassified", "deleted")
    assert [report[count] for count in counts] == [1, 1, 1, 1]
    assert Path(report["db_path"]) == command.database
    assert active(command) == [2, 3, 4]


def test_a_fact_with_more_than_a_hundred_retrievals_is_never_retired(door: Door) -> None:
    """WHEN two facts could be merged and the shorter one was retrieved 101 times, THEN the shorter
    one stays active and the other is merged into it; at exactly 100 retrievals the longer one stays
    as usual.
    """
    door.call("add", content=EVENING, category="general")
    door.call("add", content=EVENING_AND_MORE, category="general")
    door.call("add", content=MORNING, category="workflow")
    door.call("add", content=MORNING_AND_MORE, category="workflow")
    door.sql("UPDATE facts SET retrieval_count = 101 WHERE fact_id = 1")
    door.sql("UPDATE facts SET retrieval_count = 100 WHERE fact_id = 3")

    reply = door.call("dream")

    kept = {pair["kept"]: pair["removed"] for pair in reply["merge_pairs"]}
    assert kept == {1: 2, 4: 3}
    assert active(door) == [1, 4]


def test_a_dry_run_tells_what_a_dream_would_do_and_does_nothing(door: Door) -> None:
    """WHEN a dream is only tried, THEN the reply counts what it would do, no fact is changed and no
    backup written.
    """
    door.call("add", content=EVENING)
    door.call("add", content=EVENING_AND_MORE)

    reply = door.call("dream", dry_run=True)

    assert (reply["merged"], reply["dry_run"], reply["backup"]) == (1, True, None)
    assert active(door) == [1, 2]
    assert not list(door.home.glob("backup/dream-*"))


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_dream_that_was_killed_is_finished_by_the_next(command: CommandDoor) -> None:
    """WHEN a dream is killed amid its work, THEN the database is sound and holds every fact, and
    the next dream finishes the work under the same operation and without a second backup.
    """
    command.call("add", content="The kettle is red")
    for room in range(PAIRS):
        for text in (
            f"The lamp in room {room} is red",
            f"The lamp in room {room} is red, as before",
        ):
            command.sql("INSERT INTO facts(content) VALUES (?)", text)
    command.call("search", query="lamp")
    dreaming = subprocess.Popen(
        [sys.executable, "-m", "mnemo", "dream"],
        env=command.environment(),
        stdout=subprocess.DEVNULL,
    )
    merged = "SELECT count(*) FROM facts WHERE status = 'merged'"
    while dreaming.poll() is None and command.sql(merged) == [(0,)]:
        pass
    dreaming.kill()
    dreaming.wait()
    assert command.sql("PRAGMA quick_check") == [("ok",)]
    assert command.sql("SELECT count(*) FROM facts") == [(2 * PAIRS + 1,)]
    assert 0 < command.sql(merged)[0][0] < PAIRS, "it was killed amid its work"

    reply = command.call("dream")

    assert reply["resumed"] == reply["op"]
    assert reply["deleted"] == len(reply["merge_pairs"]) == PAIRS
    assert command.sql("SELECT count(*) FROM operations WHERE kind = 'dream'") == [(1,)]
    assert len(list(command.home.glob("backup/dream-*"))) == 1


def active(door: Door) -> list[int]:
    """The ids of the active facts."""
    found = door.sql("SELECT fact_id FROM facts WHERE status = 'active' ORDER BY fact_id")
    return [fact_id for (fact_id,) in found]
