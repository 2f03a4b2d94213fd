"""What a person can set: where the store lies, and how mnemo behaves; read when asked, never at
import.

``MNEMO_HOME`` names the folder (default ``~/.mnemo``), ``MNEMO_DB_PATH`` the database file
(default ``facts.db`` in that folder), ``MNEMO_NO_AUTO=1`` turns off what runs after startup.
``config.json`` in the folder holds the preferences. What cannot be read there, the file or one
value, leaves the defaults in force, with a line on stderr, and is never written over.
"""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import AliasGenerator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from mnemo.errors import InvalidInput
from mnemo.models import Frozen

_log = logging.getLogger("mnemo")


class NearDuplicateAction(StrEnum):
    """What becomes of a statement that says nearly the same as a stored fact."""

    KEEP = "keep"  # both are kept, and the reply names the other
    MERGE = "merge"  # the stored fact takes in what is new
    SKIP = "skip"  # nothing is stored, and the reply names the other


class Preferences(Frozen):
    """The keys of ``config.json``; each is understood in snake_case and in camelCase."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        populate_by_name=True,
        alias_generator=AliasGenerator(validation_alias=to_camel),
    )

    near_duplicate_action: Annotated[NearDuplicateAction, Field(strict=False)] = (
        NearDuplicateAction.KEEP
    )
    # Similarity from which a fact is a near duplicate; 0: facts are never compared.
    near_duplicate_threshold: Annotated[float, Field(ge=0.0, le=1.0)] = 0.7
    # Days after which mnemo dreams by itself; 0: never.
    auto_dream_days: Annotated[float, Field(ge=0.0)] = 7.0
    max_query_results: Annotated[int, Field(ge=1, le=100)] = 20
    # Least trust in a search that names none.
    min_trust: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0


@dataclass(frozen=True)
class Settings:
    """One frozen tree of what a person can set."""

    home: Path
    database: Path
    automatic: bool = True
    preferences: Preferences = field(default_factory=Preferences)

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
            preferences=_read_preferences(home / "config.json"),
        )


def _absolute(name: str, variable: str) -> Path:
    try:
        return Path(name).expanduser().absolute()
    except RuntimeError as error:
        raise InvalidInput(
            f"no home folder is known, so {name!r} names no place",
            hint=f"set HOME, or set {variable} to an absolute path",
        ) from error


def _read_preferences(file: Path) -> Preferences:
    try:
        values: Any = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        _log.warning("%s cannot be read, so the defaults hold: %s", file, error)
        return Preferences()
    if not isinstance(values, dict):
        _log.warning("%s holds no JSON object, so the defaults hold", file)
        return Preferences()
    allowed = dict(cast("dict[str, Any]", values))
    try:
        return Preferences.model_validate(allowed)
    except ValidationError as error:
        for wrong in error.errors(include_url=False):
            _log.warning("%s: %s", file, _in_words(wrong))
            allowed.pop(str(wrong["loc"][0]), None)
    return Preferences.model_validate(allowed)


def _in_words(wrong: Any) -> str:
    key = ".".join(map(str, wrong["loc"]))
    if wrong["type"] == "extra_forbidden":
        return f"there is no setting {key!r}; known: {', '.join(Preferences.model_fields)}"
    value = json.dumps(wrong["input"], ensure_ascii=False, default=str)[:60]
    return f"{key} cannot be {value}, so its default holds: {wrong['msg'].lower()}"
