"""Backup and restore: copies of the whole memory, and what takes the place of a lost one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.doors import CommandDoor, ToolDoor

pytestmark = pytest.mark.process

ONE = "用户偏好深色主题"
TWO = "The staging database is at 10.0.42.7"


@pytest.fixture
def backed_up(command: CommandDoor) -> Path:
    """A memory of one fact with a backup of it, and a second fact that came later."""
    command.call("add", content=ONE)
    backup = Path(command.call("backup")["backup"])
    command.call("add", content=TWO)
    return backup


def contents(command: CommandDoor) -> list[str]:
    rows = command.sql("SELECT content FROM facts ORDER BY fact_id")
    return [content for (content,) in rows]


def restored(command: CommandDoor, name: str | Path, *options: str) -> dict[str, Any]:
    finished = command.run("restore-backup", "--yes", "--json", *options, "--", str(name))
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_a_backup_is_made_on_request_and_listed(command: CommandDoor) -> None:
    """WHEN a backup is asked for, THEN its path is printed, and the list names it with its kind,
    its size and how many facts it holds, the newest first.
    """
    command.call("add", content=ONE)
    (command.home / "backup").mkdir(mode=0o700)
    (command.home / "backup" / "broken.db").write_text("no database")

    finished = command.run("backup")

    path = Path(finished.stdout.rstrip("\n"))
    assert path.parent == command.home / "backup"
    newest, broken = sorted(command.call("backups")["backups"], key=lambda b: not b["sound"])
    assert (newest["name"], newest["kind"], newest["facts"]) == (path.name, "manual", 1)
    assert newest["size"] == path.stat().st_size
    assert (broken["name"], broken["sound"], broken["facts"]) == ("broken.db", False, None)
    shown = command.run("backups").stdout
    assert path.name in shown
    assert "damaged" in shown


def test_a_backup_brings_back_what_the_memory_held(command: CommandDoor, backed_up: Path) -> None:
    """WHEN a backup is restored, THEN the memory holds what it held when the backup was made, what
    it held until now is a backup itself, and the journal names both.
    """
    reply = restored(command, backed_up.name)

    assert (reply["facts"], reply["newer"]) == (1, 1)
    assert contents(command) == [ONE]
    [(detail,)] = command.sql("SELECT detail FROM audit_log WHERE action = 'RESTORE-BACKUP'")
    assert (str(backed_up) in detail, reply["replaced"] in detail) == (True, True)
    assert command.call("search", query="深色")["count"] == 1
    restored(command, reply["replaced"])
    assert contents(command) == [ONE, TWO]


def test_a_server_that_runs_sees_what_was_restored(
    tool: ToolDoor, tmp_path: Path, cache: Path
) -> None:
    """WHEN a backup is restored while a server has the memory open, THEN the server's next answers
    come from the restored facts, and what it adds is kept.
    """
    command = CommandDoor.__new__(CommandDoor)
    command.folder, command.home, command.database = tool.folder, tool.home, tool.database
    tool.call("add", content=ONE)
    name = command.call("backup")["backup"]
    tool.call("add", content=TWO)

    restored(command, name)

    assert tool.call("search", query="staging database")["count"] == 0
    assert tool.call("search", query="深色主题")["count"] == 1
    added = tool.call("add", content="Deploys go out on Tuesdays")
    assert added["fact_id"] == 3, "an id that was used is not used again"
    assert command.call("get", fact_id=3)["count"] == 1


def test_nobody_is_overruled_without_a_yes(command: CommandDoor, backed_up: Path) -> None:
    """WHEN a backup is to be restored and nobody can be asked, THEN it is refused with what would
    come back and what would be left behind, and nothing changes.
    """
    finished = command.run("restore-backup", backed_up.name)

    assert finished.returncode == 1
    assert "1 fact of " in finished.stderr
    assert "1 newer" in finished.stderr
    assert "--yes" in finished.stderr
    assert contents(command) == [ONE, TWO]


def test_what_is_no_sound_backup_changes_nothing(command: CommandDoor, backed_up: Path) -> None:
    """WHEN a file is missing, damaged, or of another program, THEN it is refused in one line, and
    neither the facts nor the backups change.
    """
    (command.folder / "text.db").write_text("no database")
    (command.folder / "cut.db").write_bytes(backed_up.read_bytes()[:-8192])
    there = sorted(path.name for path in command.home.rglob("*"))

    for name in ("missing.db", "text.db", "cut.db", "../facts.db", "-x.db"):
        finished = command.run("restore-backup", "--yes", "--", name)
        assert finished.returncode == 1, name
        assert finished.stderr.startswith("error: "), name

    assert contents(command) == [ONE, TWO]
    assert sorted(path.name for path in command.home.rglob("*")) == there


def test_a_backup_may_lie_anywhere_under_any_name(command: CommandDoor, backed_up: Path) -> None:
    """WHEN a copy of a backup with blanks, Chinese or a dash at the beginning of its name is
    restored from another folder, THEN it comes back like any other.
    """
    for name in ("我的 记忆.db", "-- 100%.db", "no suffix"):
        copy = command.folder / name
        copy.write_bytes(backed_up.read_bytes())
        restored(command, name)
        assert contents(command) == [ONE]


def test_a_damaged_database_is_never_replaced_by_an_empty_one(
    command: CommandDoor, backed_up: Path
) -> None:
    """WHEN the database is cut short, overwritten at its beginning, or emptied, THEN the next
    command answers from the newest sound backup, says so, and keeps the damaged file.
    """
    whole = backed_up.read_bytes()
    damages = (whole[: len(whole) // 2], bytes(4096) + whole[4096:], b"")
    for number, damaged in enumerate(damages, start=1):
        command.database.write_bytes(damaged)

        finished = command.run("list", "--json")

        assert [fact["content"] for fact in json.loads(finished.stdout)["facts"]] == [ONE]
        assert str(backed_up) in finished.stderr
        kept = list(command.home.glob("facts.corrupt-*.db"))
        assert len(kept) == number
        assert damaged in [file.read_bytes() for file in kept]


def test_damage_that_is_met_later_is_told_with_the_way_out(
    command: CommandDoor, backed_up: Path
) -> None:
    """WHEN a page in the middle of the database is damaged, THEN whoever meets it gets an error
    that names the command and the newest sound backup, and that command brings the facts back.
    """
    [(page,)] = command.sql("SELECT rootpage FROM sqlite_master WHERE name = 'facts'")
    damaged = bytearray(command.database.read_bytes())
    damaged[(page - 1) * 4096 : page * 4096] = bytes(4096)
    command.database.write_bytes(damaged)

    error = command.refused("list")

    assert "damaged" in error["error"]
    assert f"mnemo restore-backup {backed_up.name}" in error["hint"]
    reply = restored(command, backed_up.name)
    assert contents(command) == [ONE]
    assert Path(reply["replaced"]).read_bytes()[(page - 1) * 4096 : page * 4096] == bytes(4096)


def test_a_database_that_is_gone_is_not_silently_an_empty_one(
    command: CommandDoor, backed_up: Path
) -> None:
    """WHEN the database is missing and a backup holds facts, THEN a memory begins that is empty,
    and says on standard error and in the status which command brings the facts back.
    """
    command.database.unlink()

    finished = command.run("list")

    way_out = f"mnemo restore-backup {backed_up.name}"
    assert way_out in finished.stderr
    [note] = command.call("status")["notes"]
    assert way_out in note
    restored(command, backed_up.name)
    assert contents(command) == [ONE]
    assert "notes" not in command.call("status")


def test_old_backups_make_room_and_no_kind_for_another(command: CommandDoor) -> None:
    """WHEN many backups have been made, THEN the newest seven of each kind and one a day for seven
    days are kept, and no kind pushes another out.
    """
    command.call("add", content=ONE)
    folder = Path(command.call("backup")["backup"]).parent
    [mine] = folder.iterdir()
    for number in range(9):
        mine.with_name(f"dream-20240101T00000{number}Z.db").write_bytes(mine.read_bytes())

    command.call("backup")

    left = sorted(path.name for path in folder.iterdir())
    assert len([name for name in left if name.startswith("manual-")]) == 2
    assert [name for name in left if name.startswith("dream-")] == [
        f"dream-20240101T00000{number}Z.db" for number in range(2, 9)
    ]
