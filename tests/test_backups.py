"""What a name of a backup means, and what is told about backups."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemo.errors import NotFound, Refused
from mnemo.memory import Memory
from mnemo.settings import Settings
from mnemo.store import Store
from mnemo.writing.add import NewFact

NOW = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.chdir(tmp_path)
    memory = Memory(Settings.load({"MNEMO_HOME": str(tmp_path / "home")}), clock=lambda: NOW)
    memory.add(NewFact("a fact"))
    return memory


def test_where_there_is_no_memory_none_is_made_for_a_backup(tmp_path: Path) -> None:
    memory = Memory(Settings.load({"MNEMO_HOME": str(tmp_path / "nowhere")}))
    with pytest.raises(NotFound, match=r"no memory at .*nowhere"):
        memory.backup()
    assert memory.backups().backups == ()
    assert not (tmp_path / "nowhere" / "facts.db").exists()


def test_a_name_is_looked_for_among_the_backups_before_the_present_folder(
    memory: Memory, tmp_path: Path
) -> None:
    name = Path(memory.backup().backup).name
    (tmp_path / name).write_text("another file of that name")
    assert memory.restore_backup(name, dry_run=True).facts == 1
    with pytest.raises(Refused, match="no sound backup"):
        memory.restore_backup(f"./{name}", dry_run=True)
    memory.close()


def test_trying_changes_nothing(memory: Memory) -> None:
    name = memory.backup().backup
    memory.add(NewFact("another"))
    told = memory.restore_backup(name, dry_run=True)
    assert (told.restored, told.facts, told.facts_before, told.newer) == (False, 1, 2, 1)
    assert told.as_json()["replaced"] is None
    assert told.as_json()["created_at"] == "2026-05-14T12:00:00Z"
    assert memory.list().total == 2
    assert [b.kind for b in memory.backups().backups] == ["manual"]
    memory.close()


def test_the_same_memory_goes_on_after_a_restore(memory: Memory) -> None:
    name = memory.backup().backup
    memory.add(NewFact("another"))
    assert memory.restore_backup(name).restored
    assert memory.list().total == 1
    memory.add(NewFact("a third"))
    assert {fact.fact_id for fact in memory.list().facts} == {1, 3}
    memory.close()


def test_only_a_memory_without_a_single_fact_is_told_of_its_backups(memory: Memory) -> None:
    name = Path(memory.backup().backup).name
    memory.remove(1)
    assert memory.status().notes == ()
    memory.close()
    memory.settings.database.unlink()
    Store(memory.settings.database, now=NOW).close()
    [note] = memory.status().notes
    assert f"mnemo restore-backup {name}" in note
    memory.close()
