"""What a person can set: where the store lies, and how mnemo behaves; read when asked, never at
import.

``MNEMO_HOME`` names the folder (default ``~/.mnemo``), ``MNEMO_DB_PATH`` the database file
(default ``facts.db`` in that folder), ``MNEMO_NO_AUTO=1`` turns off what runs after startup.
``config.json`` in the folder holds the preferences. What cannot be understood there, the file or
one value, leaves the defaults in force, with a line on stderr.
"""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mnemo.errors import InvalidInput, Refused
from mnemo.settings.config import FileState, read_config, state_of
from mnemo.settings.preferences import NearDuplicateAction, Preferences, Profile, understood

__all__ = ["NearDuplicateAction", "Preferences", "Profile", "Settings"]

_log = logging.getLogger("mnemo")


@dataclass(frozen=True)
class Settings:
    """One frozen tree of what a person can set."""

    home: Path
    database: Path
    automatic: bool = True
    preferences: Preferences = field(default_factory=Preferences)
    # Of the file that the preferences were read from.
    file_state: FileState | None = field(default=None, compare=False)

    @classmethod
    def load(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings that the environment and the file name; paths come back absolute.

        Raises InvalidInput where no home folder can be found.
        """
        env = os.environ if environment is None else environment
        home = _absolute(env.get("MNEMO_HOME") or "~/.mnemo", "MNEMO_HOME")
        named = env.get("MNEMO_DB_PATH")
        return cls(
            home=home,
            database=_absolute(named, "MNEMO_DB_PATH") if named else home / "facts.db",
            automatic=env.get("MNEMO_NO_AUTO", "") in ("", "0"),
        ).current()

    @property
    def file(self) -> Path:
        """Where the preferences are written."""
        return self.home / "config.json"

    def current(self) -> "Settings":
        """These settings with the preferences read anew, where the file has changed since."""
        state = state_of(self.file)
        if state == self.file_state:
            return self
        return replace(self, preferences=_read_preferences(self.file), file_state=state)


def _absolute(name: str, variable: str) -> Path:
    try:
        if name.startswith("~") and os.environ.get("HOME") == "":
            raise RuntimeError("HOME is empty, which would name the root")
        return Path(name).expanduser().absolute()
    except RuntimeError as error:
        raise InvalidInput(
            f"no home folder is known, so {name!r} names no place",
            hint=f"set HOME, or set {variable} to an absolute path",
        ) from error


def _read_preferences(file: Path) -> Preferences:
    try:
        values = read_config(file)
    except Refused as error:
        _log.warning("%s; the defaults hold", error.message)
        return Preferences()
    preferences, problems = understood(values)
    for problem in problems:
        _log.warning("%s: %s", file, problem)
    return preferences
