"""What a person is told about a schedule that nobody could look at."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mnemo.cli.main import cli
from mnemo.errors import Refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no crontab there")


def test_a_crontab_that_cannot_be_read_is_not_taken_for_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "crontab"
    program.write_text('#!/bin/sh\necho "you are not allowed" >&2\nexit 1\n')
    program.chmod(0o755)
    for name in ("HOME", "MNEMO_HOME", "PATH", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))

    result = CliRunner().invoke(cli, ["init", "--remove", "--yes"], standalone_mode=False)

    assert "nothing to do" not in result.output
    with pytest.raises(Refused, match="could not be looked at: you are not allowed"):
        raise result.exception or AssertionError(result.output)
