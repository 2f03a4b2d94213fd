"""Self-learning: trust follows the evidence of use, and audit says what it sees without touching
anything.
"""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.doors import CommandDoor, Door, ServerProcess

pytestmark = pytest.mark.process

COUNTS = ("promoted", "demoted", "aged", "unchanged")


def test_a_fact_that_is_often_found_and_seldom_helps_loses_trust(door: Door) -> None:
    """WHEN a fact was retrieved 100 times and helped twice, THEN learn multiplies its trust by 0.9
    and counts it as demoted.
    """
    plant(door, trust_score=0.5, retrieval_count=100, helpful_count=2)

    assert door.call("learn")["demoted"] == 1

    assert trusts(door) == [0.45]


def test_a_fact_that_often_helps_gains_trust(door: Door) -> None:
    """WHEN a fact was retrieved 50 times and helped 20 times, THEN learn adds 0.05 to its trust, up
    to 1, and counts it as promoted.
    """
    plant(door, trust_score=0.5, retrieval_count=50, helpful_count=20)
    plant(door, trust_score=0.98, retrieval_count=50, helpful_count=20)

    assert door.call("learn")["promoted"] == 2

    assert trusts(door) == [0.55, 1.0]


def test_thirty_retrievals_are_too_few_to_judge(door: Door) -> None:
    """WHEN facts were retrieved 10, 30 and 31 times and never helped, THEN learn leaves the first
    two as they are and demotes the third.
    """
    for count in (10, 30, 31):
        plant(door, trust_score=0.5, retrieval_count=count)

    reply = door.call("learn")

    assert (reply["demoted"], reply["unchanged"]) == (1, 2)
    assert trusts(door) == [0.5, 0.5, 0.45]


def test_a_fact_that_was_not_found_for_two_months_ages(door: Door) -> None:
    """WHEN a fact was last retrieved 61 days ago, THEN learn multiplies its trust by 0.95 and
    counts it as aged.
    """
    plant(door, trust_score=0.5, last_retrieved_at=days_ago(61))

    assert door.call("learn")["aged"] == 1

    assert trusts(door) == [0.475]


def test_a_fact_that_was_found_lately_does_not_age(door: Door) -> None:
    """WHEN a fact was last retrieved 10 days ago, THEN learn leaves its trust as it is."""
    plant(door, trust_score=0.5, last_retrieved_at=days_ago(10))

    reply = door.call("learn")

    assert (reply["aged"], reply["unchanged"]) == (0, 1)
    assert trusts(door) == [0.5]


def test_a_fact_that_was_never_found_does_not_age(door: Door) -> None:
    """WHEN a fact was never retrieved and was stored a year ago, THEN learn leaves its trust as it
    is.
    """
    plant(door, trust_score=0.5, created_at=days_ago(365))

    reply = door.call("learn")

    assert (reply["aged"], reply["unchanged"]) == (0, 1)
    assert trusts(door) == [0.5]


def test_one_run_ages_a_fact_by_one_step_however_long_it_was_unused(door: Door) -> None:
    """WHEN a fact was last retrieved 400 days ago and learn runs twice, THEN the first run
    multiplies its trust by 0.95 once and the second changes nothing.
    """
    plant(door, trust_score=0.5, last_retrieved_at=days_ago(400))

    assert door.call("learn")["aged"] == 1
    assert door.call("learn")["aged"] == 0

    assert trusts(door) == [0.475]


def test_learning_again_without_new_evidence_changes_nothing(door: Door) -> None:
    """WHEN learn runs again and nothing was searched or rated in between, THEN it changes nothing;
    the next adjustment takes more than thirty new retrievals.
    """
    plant(door, trust_score=0.8, retrieval_count=100, helpful_count=2)
    door.call("learn")

    assert door.call("learn")["demoted"] == 0
    door.sql("UPDATE facts SET retrieval_count = 130")
    assert door.call("learn")["demoted"] == 0
    assert trusts(door) == [0.72]

    door.sql("UPDATE facts SET retrieval_count = 131")
    assert door.call("learn")["demoted"] == 1
    assert trusts(door) == [0.648]


def test_learning_stops_at_a_floor_and_never_lifts_to_it(door: Door) -> None:
    """WHEN facts were found often and hardly ever helped, THEN learn takes one that was never rated
    no lower than 0.40 and a rated one no lower than 0.20, and leaves what already lies below.
    """
    plant(door, trust_score=0.42, retrieval_count=100)
    plant(door, trust_score=0.21, retrieval_count=100, helpful_count=2)
    plant(door, trust_score=0.3, retrieval_count=100)

    assert door.call("learn")["demoted"] == 2

    assert trusts(door) == [0.4, 0.2, 0.3]


def test_the_reply_counts_every_fact_once_and_lists_the_long_ones(door: Door) -> None:
    """WHEN learn has run, THEN its reply has exactly the counts promoted, demoted, aged and
    unchanged, which add up to all facts, and the list of long facts, longest first: 3921
    characters without a summary have the factor 0.077, 3095 have 0.097.
    """
    for length in (3095, 3921):
        door.call("add", content=("面条" * 2000)[:length])
    door.call("add", content="午餐" * 500, summary="午餐")
    plant(door, retrieval_count=40, last_retrieved_at=days_ago(100))

    reply = door.call("learn")

    assert reply == {
        "promoted": 0,
        "demoted": 1,
        "aged": 0,
        "unchanged": 3,
        "long_facts": [
            {"id": 2, "content_length": 3921, "penalty": 0.077, "has_summary": False},
            {"id": 1, "content_length": 3095, "penalty": 0.097, "has_summary": False},
        ],
    }


def test_the_server_learns_after_the_handshake_without_delaying_it(command: CommandDoor) -> None:
    """WHEN a server starts on 20 000 facts that all await an adjustment, THEN it answers the
    handshake before it has begun, learns by itself once the client has spoken, and reports the
    outcome in one line on standard error.
    """
    command.call("list")
    command.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
        " INSERT INTO facts(content, retrieval_count, helpful_count)"
        " SELECT 'Sensor number ' || i, 100, 2 FROM n"
    )
    server = ServerProcess(command)

    assert server.initialize()["serverInfo"]["name"] == "mnemo"
    assert not [line for line in server.complaints if "learn" in line.lower()]
    server.notify("notifications/initialized")
    report = server.complaint("learn")

    assert "20000" in report
    assert command.sql("SELECT DISTINCT trust_score FROM facts") == [(0.45,)]
    assert server.close() == 0
    assert len([line for line in server.complaints if "learn" in line.lower()]) == 1


def test_five_servers_on_one_file_learn_what_one_would(command: CommandDoor) -> None:
    """WHEN five servers are started and stopped one after the other and at once on one file,
    THEN every fact has the trust that one of them would have given it.
    """
    plant(command, trust_score=0.5, retrieval_count=100, helpful_count=2)
    plant(command, trust_score=0.5, retrieval_count=50, helpful_count=20)
    plant(command, trust_score=0.5, last_retrieved_at=days_ago(61))
    servers = [ServerProcess(command) for _ in range(5)]

    for server in servers:
        server.initialize()
        server.notify("notifications/initialized")
    for server in servers:
        server.complaint("learn")
        assert server.close() == 0

    assert trusts(command) == [0.45, 0.55, 0.475]
    assert command.sql("SELECT count(*) FROM changes WHERE after LIKE '%trust_score%'") == [(3,)]


def test_learning_by_hand_tells_what_the_servers_did(command: CommandDoor) -> None:
    """WHEN two servers have learned after their start and a person then asks to learn, THEN the
    first answer tells what the servers did, each fact once, and the second nothing of it.
    """
    plant(command, trust_score=0.5, retrieval_count=100, helpful_count=2)
    plant(command, trust_score=0.5, retrieval_count=50, helpful_count=20)
    plant(command, trust_score=0.5)
    for _ in range(2):
        start_and_stop(command)

    first, second = command.call("learn"), command.call("learn")

    assert [first[name] for name in COUNTS] == [1, 1, 0, 1]
    assert [second[name] for name in COUNTS] == [0, 0, 0, 3]


def test_a_server_does_not_repeat_what_was_taken_back(command: CommandDoor) -> None:
    """WHEN a person undoes what a server has learned, THEN no server learns it again without new
    evidence; a person may.
    """
    plant(command, trust_score=0.5, retrieval_count=100, helpful_count=2)
    plant(command, trust_score=0.5, last_retrieved_at=days_ago(61))
    start_and_stop(command)
    assert trusts(command) == [0.45, 0.475]
    command.call("undo")
    assert trusts(command) == [0.5, 0.5]

    start_and_stop(command)
    assert trusts(command) == [0.5, 0.5]

    command.call("learn")
    assert trusts(command) == [0.45, 0.475]


def test_a_dry_run_says_of_each_change_why(door: Door) -> None:
    """WHEN learn is asked to show what it would change, THEN it lists each change with its rule
    and what was seen, and changes nothing.
    """
    door.call("status")
    door.settle()
    plant(door, trust_score=0.5, retrieval_count=40, helpful_count=1)
    plant(door, trust_score=0.5, last_retrieved_at=days_ago(75))
    plant(door, trust_score=0.5)

    reply = door.call("learn", dry_run=True)

    assert reply["changes"] == [
        {
            "id": 1,
            "rule": "demoted",
            "reason": "40 recalls since the last look, 1 helpful (2.5 %)",
            "old_trust": 0.5,
            "new_trust": 0.45,
        },
        {
            "id": 2,
            "rule": "aged",
            "reason": "not recalled for 75 days",
            "old_trust": 0.5,
            "new_trust": 0.475,
        },
    ]
    assert trusts(door) == [0.5, 0.5, 0.5]


def test_a_stamp_in_the_future_neither_ages_a_fact_nor_keeps_it_from_ageing(door: Door) -> None:
    """WHEN a wrong clock has left one fact's last retrieval and another one's last ageing far in
    the future, THEN neither ages now, and the second ages once the sixty days are over.
    """
    plant(door, trust_score=0.5, last_retrieved_at="2999-01-01 00:00:00")
    plant(door, trust_score=0.5, last_retrieved_at=days_ago(400), aged_at="2999-01-01 00:00:00")

    assert door.call("learn")["aged"] == 0
    assert door.call("learn")["aged"] == 0
    assert trusts(door) == [0.5, 0.5]
    door.sql("UPDATE facts SET aged_at = ? WHERE fact_id = 2 AND aged_at < '2999'", days_ago(61))

    assert door.call("learn")["aged"] == 1
    assert trusts(door) == [0.5, 0.475]


def test_learning_does_not_look_at_the_log(door: Door) -> None:
    """WHEN every row of the retrieval log is deleted, THEN learn changes what it would have changed
    with them.
    """
    plant(door, trust_score=0.5, retrieval_count=30)
    door.call("search", query="fact")
    door.settle()
    door.sql("DELETE FROM retrieval_log")

    assert door.call("learn")["demoted"] == 1

    assert trusts(door) == [0.45]


def test_a_rating_can_name_the_search_that_it_belongs_to(door: Door) -> None:
    """WHEN a fact is rated with the question that returned it, THEN the journal ties the rating to
    that search; with a question that never did, the rating counts and the reply says so.
    """
    door.call("add", content="The staging database is at 10.0.42.7")
    door.call("search", query="staging database")

    tied = door.call("helpful", fact_id=1, query="staging database")
    loose = door.call("unhelpful", fact_id=1, query="weather")

    assert (tied["newTrust"], loose["newTrust"]) == (0.55, 0.45)
    assert "note" not in tied
    assert loose["note"]
    details = door.sql("SELECT detail FROM audit_log WHERE action = 'FEEDBACK' ORDER BY id")
    assert [json.loads(detail).get("search") for (detail,) in details] == [1, None]


def test_audit_lists_what_deserves_a_look(door: Door) -> None:
    """WHEN the store holds long facts without a summary, facts that are found often and hardly ever
    help, and facts that were not found for two months, THEN audit lists each kind beside the
    totals, and leaves out those that only just do not belong.
    """
    door.call("add", content="面" * 501)
    door.call("add", content="条" * 500)
    plant(door, retrieval_count=100, helpful_count=2)
    plant(door, retrieval_count=30)
    old = days_ago(61)
    plant(door, last_retrieved_at=old)
    plant(door, last_retrieved_at=days_ago(59))

    reply = door.call("audit")

    assert reply["total_facts"] == 6
    assert reply["long_without_summary"] == [{"id": 1, "content_length": 501}]
    assert reply["low_helpful_rate"] == [{"id": 3, "rate": 0.02, "retrieval_count": 100}]
    (candidate,) = reply["aging_candidates"]
    assert candidate["id"] == 5
    assert candidate["last_retrieved_at"][:19].replace("T", " ") == old
    assert reply["stats"]


def test_audit_changes_nothing(door: Door) -> None:
    """WHEN audit runs, THEN no field of any fact and no row of any table is other than before, and
    the file is the same to the byte.
    """
    plant(door, retrieval_count=100, helpful_count=2)
    plant(door, last_retrieved_at=days_ago(100))
    door.call("add", content="面" * 600)
    door.call("search", query="fact")
    door.settle()
    before = rows(door), checkpointed(door)

    door.call("audit")

    assert written_since(door) == 0
    assert (rows(door), checkpointed(door)) == before


def plant(door: Door, **columns: object) -> None:
    """Put a fact with these columns into the store, as another program would."""
    if not door.database.exists():
        door.call("list")
    names = ", ".join(columns)
    marks = ", ".join("?" * len(columns))
    door.sql(
        f"INSERT INTO facts(content, {names})"
        f" SELECT 'Fact number ' || (1 + count(*)), {marks} FROM facts",
        *columns.values(),
    )


def start_and_stop(command: CommandDoor) -> None:
    """Let a server start, learn by itself and end."""
    server = ServerProcess(command)
    server.initialize()
    server.notify("notifications/initialized")
    server.complaint("learn")
    assert server.close() == 0


def days_ago(days: int) -> str:
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%d %H:%M:%S}"


def trusts(door: Door) -> list[float]:
    """The trust of every fact in order of id, without the noise of binary fractions."""
    return [
        round(trust, 9) for (trust,) in door.sql("SELECT trust_score FROM facts ORDER BY fact_id")
    ]


def rows(door: Door) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every ordinary table; those behind a virtual table are ordinary too."""
    tables = door.sql(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    return {name: door.sql(f'SELECT * FROM "{name}"') for (name,) in tables}


def checkpointed(door: Door) -> str:
    """A digest of the file once it holds everything that was written."""
    ((busy, _, _),) = door.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not busy
    return hashlib.sha256(door.database.read_bytes()).hexdigest()


def written_since(door: Door) -> int:
    """The bytes that were written since the last checkpoint."""
    log = door.database.with_name(door.database.name + "-wal")
    return log.stat().st_size if log.exists() else 0
