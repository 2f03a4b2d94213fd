"""The report of audit: what deserves a look, how it is told, and that looking changes nothing."""

import hashlib
import shlex
from datetime import UTC, datetime, timedelta

import pytest

from tests.doors import CommandDoor, Door

pytestmark = pytest.mark.process

LISTS = (
    "long_without_summary",
    "low_helpful_rate",
    "aging_candidates",
    "never_retrieved",
    "low_trust",
    "near_duplicates",
    "conflicts",
    "injection_flagged",
    "summary_stale",
)


def test_pairs_that_say_the_same_and_pairs_that_contrast_are_told_apart(door: Door) -> None:
    """WHEN one fact says all of another one and two facts differ in a number, THEN the first pair
    is a near duplicate and the second a conflict.
    """
    door.call("add", content="编码规范：函数不超过 40 行，变量用 snake_case，提交前运行 linter")
    door.call("add", content="编码规范：函数不超过 40 行，变量用 snake_case")
    door.call("add", content="The weekly meeting of the team is at 9 on Monday")
    door.call("add", content="The weekly meeting of the team is at 15 on Monday")

    reply = door.call("audit")

    (twins,) = reply["near_duplicates"]
    assert (twins["a"], twins["b"]) == (1, 2)
    assert twins["similarity"] > 0.6
    (conflict,) = reply["conflicts"]
    assert (conflict["a"], conflict["b"]) == (4, 3)
    assert {"9", "15"} <= set(conflict["contrast"].split())


def test_a_summary_that_is_older_than_its_content_is_listed_until_it_is_mended(door: Door) -> None:
    """WHEN the content of a fact with a summary is changed, THEN audit lists the fact until its
    summary is changed too.
    """
    door.call("add", content="The staging database is at 10.0.42.7", summary="staging: 10.0.42.7")
    assert door.call("audit")["summary_stale"] == []

    door.call("update", fact_id=1, content="The staging database is at 10.0.42.8")
    assert door.call("audit")["summary_stale"] == [{"id": 1}]

    door.call("update", fact_id=1, summary="staging: 10.0.42.8")
    assert door.call("audit")["summary_stale"] == []


def test_facts_that_were_never_found_or_are_little_trusted_are_listed(door: Door) -> None:
    """WHEN a fact was stored 61 days ago and never retrieved, and another one has little trust,
    THEN audit lists each under its kind.
    """
    door.call("add", content="The old printer stands on the third floor")
    door.call("add", content="深色主题")
    door.sql("UPDATE facts SET created_at = ? WHERE fact_id = 1", days_ago(61))
    door.sql("UPDATE facts SET trust_score = 0.15 WHERE fact_id = 2")

    reply = door.call("audit")

    assert [fact["id"] for fact in reply["never_retrieved"]] == [1]
    assert reply["low_trust"] == [{"id": 2, "trust_score": 0.15}]


def test_an_empty_memory_has_every_list_empty(door: Door) -> None:
    """WHEN audit looks at an empty memory, THEN every list is there and empty."""
    reply = door.call("audit")

    assert [reply[name] for name in LISTS] == [[]] * len(LISTS)
    assert reply["total_facts"] == 0


def test_the_commands_that_the_report_shows_mend_what_it_found(command: CommandDoor) -> None:
    """WHEN a person runs the commands that the report shows, THEN the next report no longer has
    those findings.
    """
    command.call("add", content="面" * 501)
    command.call("add", content="The old printer stands on the third floor")
    command.sql("UPDATE facts SET trust_score = 0.1 WHERE fact_id = 2")

    told = command.run("audit").stdout.splitlines()
    shown = [shlex.split(line) for line in told if line.startswith("      mnemo ")]
    assert shown == [
        ["mnemo", "update", "1", "--summary", "…"],
        ["mnemo", "feedback", "helpful", "2"],
        ["mnemo", "remove", "2"],
    ]
    for words in (shown[0], shown[2]):
        assert command.run(*words[1:]).returncode == 0

    (figures,) = command.run("audit").stdout.splitlines()
    assert figures.startswith("1 facts (1 removed)")


def test_ten_findings_of_a_kind_are_shown_and_the_rest_is_pointed_at(command: CommandDoor) -> None:
    """WHEN there are twelve findings of one kind, THEN ten are shown and how to see the others."""
    command.call("list")
    command.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
        " INSERT INTO facts(content, trust_score) SELECT 'Sensor ' || i, 0.1 FROM n"
    )

    told = command.run("audit").stdout

    assert told.count("mnemo remove") == 10
    assert "and 2 more: mnemo audit --json" in told
    assert len(command.call("audit")["low_trust"]) == 12


def test_nothing_that_only_looks_changes_a_byte(door: Door) -> None:
    """WHEN everything that only looks is asked, THEN the file is the same to the byte and nothing
    was written since.
    """
    door.call("add", content="编码规范：函数不超过 40 行，变量用 snake_case，提交前运行 linter")
    door.call("add", content="编码规范：函数不超过 40 行，变量用 snake_case")
    door.call("search", query="编码规范")
    door.sql("UPDATE facts SET retrieval_count = 99, last_retrieved_at = ?", days_ago(90))
    door.settle()
    before = checkpointed(door)

    door.call("audit")
    door.call("get", fact_ids=[1, 2])
    door.call("list")
    door.call("status")
    assert door.call("learn", dry_run=True)["changes"]
    assert door.call("dream", dry_run=True)["merged"]

    log = door.database.with_name(f"{door.database.name}-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert checkpointed(door) == before


def days_ago(days: int) -> str:
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%d %H:%M:%S}"


def checkpointed(door: Door) -> str:
    """A digest of the file once it holds everything that was written."""
    ((busy, _, _),) = door.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not busy
    return hashlib.sha256(door.database.read_bytes()).hexdigest()
