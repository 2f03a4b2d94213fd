"""What a person can prefer: the keys of `config.json`, what each may be, and what holds by default.

Pure: values in, values out; no file is known here. A key is in `Preferences` only because
something reads it. What must hold: a value of the wrong kind is refused and never turned into
another (a text never becomes 0), a key that does not exist is named with the one that was
probably meant, and a profile changes nothing that is set.
"""

import difflib
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_snake

from mnemo.enums import QualityGate, Secrets
from mnemo.errors import InvalidInput
from mnemo.models import Frozen
from mnemo.text.secrets import redact


class Profile(StrEnum):
    """Which of the two ancestors the defaults are those of."""

    MNEMO = "mnemo"
    BIOMEMORY = "biomemory"


class NearDuplicateAction(StrEnum):
    """What becomes of a statement that says nearly the same as a stored fact."""

    KEEP = "keep"  # both are kept, and the reply names the other
    MERGE = "merge"  # the stored fact takes in what is new
    SKIP = "skip"  # nothing is stored, and the reply names the other


# A name in a file is a text; everywhere else a text is no number, and true is no 1.
_Choice = Field(strict=False)


class Preferences(Frozen):
    """The keys of `config.json`; each is understood in snake_case and in camelCase."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    # Sets the defaults of the other keys, and nothing else.
    profile: Annotated[Profile, _Choice] = Profile.MNEMO
    near_duplicate_action: Annotated[NearDuplicateAction, _Choice] = NearDuplicateAction.KEEP
    # Similarity from which a fact is a near duplicate; 0: facts are never compared.
    near_duplicate_threshold: Annotated[float, Field(ge=0.0, le=1.0)] = 0.7
    quality_gate: Annotated[QualityGate, _Choice] = QualityGate.HINT
    secrets: Annotated[Secrets, _Choice] = Secrets.WARN
    # Days after which mnemo dreams by itself; 0: never.
    auto_dream_days: Annotated[float, Field(ge=0.0)] = 7.0
    max_query_results: Annotated[int, Field(ge=1, le=100)] = 20
    # Least trust in a search that names none.
    min_trust: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0


FIELDS = Preferences.model_fields

# What a profile sets otherwise than mnemo's own defaults.
_DEFAULTS_UNDER: Mapping[Profile, Mapping[str, Any]] = {
    Profile.MNEMO: {},
    Profile.BIOMEMORY: {"near_duplicate_action": NearDuplicateAction.MERGE},
}


def key_named(given: str) -> str:
    """The key that is meant, in snake_case.

    Raises InvalidInput, with the nearest key, where there is none of that name.
    """
    name = to_snake(given.strip())
    if name in FIELDS:
        return name
    nearest = difflib.get_close_matches(name, FIELDS, n=1)
    raise InvalidInput(
        f"there is no setting {redact(given)[:60]!r}",
        hint=f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(FIELDS)}",
    )


def checked_value(name: str, value: object) -> Any:
    """The value in the key's type; a text is read as a person types it.

    Raises InvalidInput, with what is allowed, for any other.
    """
    return _validated(name, value, typed=isinstance(value, str))


def understood(values: Mapping[str, Any]) -> tuple[Preferences, tuple[str, ...]]:
    """What the values of a file set, and a sentence for each entry that cannot be used."""
    given: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in values.items():
        try:
            name = key_named(key)
            if name != key and name in values:
                problems.append(f"{key} does not count, since {name} is there too")
            else:
                given[name] = _validated(name, value)
        except InvalidInput as error:
            problems.append(f"{error.message}, so it does not count; {error.hint}")
    profile = Preferences.model_validate(given).profile
    return Preferences.model_validate({**_DEFAULTS_UNDER[profile], **given}), tuple(problems)


def with_change(values: Mapping[str, Any], name: str, value: object) -> dict[str, Any]:
    """The values of a file with one key set, in the spelling that it has there; None: taken out.

    Everything else stays, in its order.
    """
    spellings = [key for key in values if to_snake(key) == name]
    if value is None:
        return {key: kept for key, kept in values.items() if key not in spellings}
    return {**values, **dict.fromkeys(spellings or [name], value)}


def differing(preferences: Preferences, other: Preferences | None = None) -> dict[str, Any]:
    """The keys that the preferences have otherwise than others, by default mnemo's defaults."""
    theirs = (other or Preferences()).model_dump(mode="json")
    ours = preferences.model_dump(mode="json")
    return {name: value for name, value in ours.items() if value != theirs[name]}


def _validated(name: str, value: object, *, typed: bool = False) -> Any:
    validate = Preferences.model_validate_strings if typed else Preferences.model_validate
    try:
        return getattr(validate({name: value}), name)
    except ValidationError:
        shown = redact(json.dumps(value, ensure_ascii=False, default=str))[:60]
        raise InvalidInput(f"{name} cannot be {shown}", hint=f"allowed: {_allowed(name)}") from None


def _allowed(name: str) -> str:
    kind = FIELDS[name].annotation
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return ", ".join(kind)
    least, most = _bound(name, "ge"), _bound(name, "le")
    number = "a whole number" if kind is int else "a number"
    return (
        f"{number}, {least:g} or more" if most is None else f"{number} from {least:g} to {most:g}"
    )


def _bound(name: str, which: str) -> Any:
    found = (getattr(bound, which, None) for bound in FIELDS[name].metadata)
    return next((value for value in found if value is not None), None)
