"""What is purged is gone: from the facts, the journal, the events and the file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemo.errors import NotFound, Refused
from mnemo.memory import Memory
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.store.scratch import Sql

Add = Callable[..., int]

SECRET = "xylophone"


@pytest.fixture
def secret(memory: Memory, sql: Sql) -> Memory:
    """A memory in which fact 1 is, and fact 2 was, about a secret."""
    memory.add(NewFact(f"the word is {SECRET}", tags=SECRET), NewFact("uses pytest"))
    memory.update(1, Edit(summary=f"word: {SECRET}"))
    memory.search("word")
    memory.remove(1)
    return memory


def bytes_of(database: Path) -> bytes:
    return b"".join(
        file.read_bytes() for file in database.parent.glob("facts.db*") if file.is_file()
    )


def test_nothing_of_a_purged_fact_is_left_in_the_file(secret: Memory, tmp_path: Path) -> None:
    database = tmp_path / "facts.db"
    assert SECRET.encode() in bytes_of(database)
    reply = secret.purge(1)
    secret.close()
    assert SECRET.encode() not in bytes_of(database)
    assert reply.purged == (1,)
    assert reply.backup is not None
    assert SECRET.encode() in Path(reply.backup).read_bytes()
    assert any("backup" in note for note in reply.notes)


def test_what_was_done_to_it_stays_without_a_word(secret: Memory, sql: Sql) -> None:
    secret.purge(1)
    assert sql("SELECT op_id, before, after, reason FROM changes WHERE fact_id = 1") == [
        (1, None, "{}", "purged"),
        (2, None, "{}", "purged"),
        (3, None, "{}", "purged"),
    ]
    events = sql("SELECT action, detail FROM audit_log WHERE entry_id = '1'")
    assert [action for action, _ in events] == ["WRITE", "UPDATE", "REMOVE", "PURGE"]
    assert {detail for _, detail in events} == {"{}"}
    assert sql("SELECT results FROM retrieval_log")[0][0].startswith('[{"id":1')
    assert sql("SELECT fact_id FROM fact_tokens") == [(2,)]
    assert sql("SELECT fact_id FROM twin_keys") == [(2,)]
    assert sql("PRAGMA integrity_check") == [("ok",)]


def test_a_purge_is_for_good_and_what_else_was_done_can_still_be_undone(secret: Memory) -> None:
    secret.purge(1)
    with pytest.raises(Refused, match="op-4 erased facts for good"):
        secret.undo("op-4")
    with pytest.raises(Refused, match="nothing of op-3 can be undone: fact 1 was purged"):
        secret.undo("op-3")
    reply = secret.undo()
    assert (reply.undone, reply.facts) == ("op-1", (2,))
    assert [(fact.fact_id, fact.reason) for fact in reply.blocked] == [(1, "was purged")]


def test_one_unknown_fact_keeps_all_of_them(secret: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no fact 9"):
        secret.purge(2, 9)
    assert secret.get(1, 2).count == 2
    assert not (tmp_path / "backup").exists()


def test_a_survivor_is_not_purged_from_under_those_it_stands_for(memory: Memory) -> None:
    memory.add(
        NewFact("用户喜欢在晚上用深色主题写代码"), NewFact("用户喜欢在晚上用深色主题写代码呢")
    )
    [pair] = memory.dream().merge_pairs
    with pytest.raises(Refused, match=f"fact {pair.kept} stands for fact {pair.removed}"):
        memory.purge(pair.kept)
    assert memory.purge(pair.kept, pair.removed).purged == (pair.kept, pair.removed)


def test_the_words_of_a_purged_fact_are_no_longer_found_under_its_survivor(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("uses pytest")
    add(f"uses pytest, says {SECRET}")
    sql("UPDATE facts SET status = 'merged', merged_into = 1 WHERE fact_id = 2")
    assert [hit.fact_id for hit in memory.search(SECRET).results] == [1]
    memory.purge(2)
    assert memory.search(SECRET).results == ()
    assert memory.get(1).facts[0].absorbed == ()


def test_a_dry_run_erases_nothing(secret: Memory, tmp_path: Path) -> None:
    assert secret.purge(1, dry_run=True).purged == (1,)
    assert secret.get(1).count == 1
    assert not (tmp_path / "backup").exists()
