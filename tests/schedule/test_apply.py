"""Steps on a scratch folder, and a crontab program that is a script of the test's own."""

import sys
from pathlib import Path

import pytest

from mnemo.enums import Scheduler
from mnemo.errors import Refused, StoreUnavailable
from mnemo.schedule.apply import (
    carried_over,
    carry_out,
    is_passing,
    look_around,
    own_command,
    schedulers,
)
from mnemo.schedule.plan import Run, WriteCrontab, WriteFile

CRONTAB = """#!/bin/sh
case "$1" in
-l) if [ -f "{folder}/forbidden" ]; then echo "you are not allowed" >&2; exit 1; fi
    if [ ! -f "{folder}/spool" ]; then echo "no crontab for you" >&2; exit 1; fi
    exec /bin/cat "{folder}/spool" ;;
-)  exec /bin/cat > "{folder}/spool" ;;
esac
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no crontab there")


@pytest.fixture
def crontab(tmp_path: Path) -> str:
    return program(tmp_path / "bin" / "crontab", CRONTAB.format(folder=tmp_path))


def program(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def environment(tmp_path: Path, crontab: str) -> dict[str, str]:
    return {"PATH": str(Path(crontab).parent), "HOME": str(tmp_path)}


def test_a_crontab_is_read_byte_for_byte(tmp_path: Path, environment: dict[str, str]) -> None:
    assert look_around(environment, home=tmp_path).crontab == ""
    (tmp_path / "spool").write_bytes(b"# \xff\r\n\xe6\xa2\xa6")
    machine = look_around(environment, home=tmp_path)
    assert machine.crontab.encode("utf-8", "surrogateescape") == b"# \xff\r\n\xe6\xa2\xa6"


def test_a_crontab_that_is_forbidden_is_no_empty_one(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "forbidden").touch()
    machine = look_around(environment, home=tmp_path)
    assert machine.crontab_trouble == "you are not allowed"
    assert schedulers("linux", environment, machine) == []


def test_a_crontab_is_written_and_the_one_before_is_kept(tmp_path: Path, crontab: str) -> None:
    (tmp_path / "spool").write_bytes(b"# \xff\n")
    home = tmp_path / "not made yet"
    carry_out((WriteCrontab(crontab, "# \udcff\n# 梦\n", "# \udcff\n"),), keep_in=home)
    assert (tmp_path / "spool").read_bytes() == b"# \xff\n# \xe6\xa2\xa6\n"
    assert (home / "crontab.bak").read_bytes() == b"# \xff\n"


def test_what_changed_since_it_was_planned_is_left_alone(tmp_path: Path, crontab: str) -> None:
    (tmp_path / "spool").write_text("# newer\n")
    with pytest.raises(Refused, match="just been changed"):
        carry_out((WriteCrontab(crontab, "# mine\n", "# older\n"),), keep_in=tmp_path)
    assert (tmp_path / "spool").read_text() == "# newer\n"
    file = tmp_path / "file"
    file.write_text("newer")
    for text in ("mine", None):
        with pytest.raises(Refused, match="just been changed"):
            carry_out((WriteFile(file, text, "older"),), keep_in=tmp_path)
    assert file.read_text() == "newer"


def test_a_file_that_is_written_over_leaves_a_copy(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "a.timer"
    carry_out((WriteFile(file, "one", None),), keep_in=tmp_path)
    assert [path.name for path in file.parent.iterdir()] == ["a.timer"]
    carry_out((WriteFile(file, "two", "one"),), keep_in=tmp_path)
    assert (file.read_text(), file.with_name("a.timer.bak").read_text()) == ("two", "one")
    carry_out((WriteFile(file, None, "two"),), keep_in=tmp_path)
    assert not file.exists()


def test_a_command_that_fails_takes_the_files_back(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("before")
    failing = program(tmp_path / "bin" / "failing", "#!/bin/sh\necho no bus >&2\nexit 3\n")
    steps = (WriteFile(new, "a", None), WriteFile(old, "b", "before"), Run((failing, "reload")))
    with pytest.raises(StoreUnavailable, match=r"failing reload failed \(3\): no bus"):
        carry_out(steps, keep_in=tmp_path)
    assert not new.exists()
    assert old.read_text() == "before"


def test_a_command_that_may_fail_stops_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    missing = str(tmp_path / "missing")
    carry_out((Run((missing,), may_fail=True), WriteFile(file, "a", None)), keep_in=tmp_path)
    assert file.read_text() == "a"


def test_systemd_comes_first_where_somebody_has_a_session_of_it(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    program(tmp_path / "bin" / "systemctl", "#!/bin/sh\n")
    machine = look_around(environment, home=tmp_path)
    assert schedulers("linux", environment, machine) == [Scheduler.CRON]
    (tmp_path / "run" / "systemd").mkdir(parents=True)
    environment["XDG_RUNTIME_DIR"] = str(tmp_path / "run")
    assert schedulers("linux", environment, machine)[0] == Scheduler.SYSTEMD
    assert schedulers("win32", environment, machine) == [Scheduler.SCHTASKS]


def test_macos_has_launchd_before_cron(tmp_path: Path, environment: dict[str, str]) -> None:
    program(tmp_path / "bin" / "launchctl", "#!/bin/sh\n")
    machine = look_around(environment, home=tmp_path)
    assert schedulers("darwin", environment, machine) == [Scheduler.LAUNCHD, Scheduler.CRON]


def test_the_command_is_absolute() -> None:
    command = own_command("dream")
    assert Path(command[0]).is_absolute()
    assert command[-1] == "dream"


@pytest.mark.parametrize(
    ("path", "passing"),
    [
        ("/h/.cache/uv/archive-v0/x1/bin/mnemo", True),
        ("/h/.cache/uv/environments-v2/x1/bin/python", True),
        ("/h/.local/pipx/.cache/0ab/bin/mnemo", True),
        ("/h/.local/share/uv/tools/mnemo/bin/mnemo", False),
        ("/h/.local/pipx/venvs/mnemo/bin/mnemo", False),
        ("/srv/mnemo/.venv/bin/mnemo", False),
    ],
)
def test_a_copy_that_is_thrown_away_again_is_recognised(path: str, passing: bool) -> None:
    assert is_passing((path, "dream")) is passing


def test_only_variables_that_are_set_are_carried_over(tmp_path: Path) -> None:
    where: dict[str, Path] = {"home": Path("/m"), "database": Path("/m/facts.db")}
    assert carried_over({}, **where) == {}
    assert carried_over({"MNEMO_HOME": "m"}, **where) == {"MNEMO_HOME": "/m"}
    both = {"MNEMO_HOME": "m", "MNEMO_DB_PATH": "m/facts.db"}
    assert carried_over(both, **where) == {"MNEMO_HOME": "/m", "MNEMO_DB_PATH": "/m/facts.db"}
