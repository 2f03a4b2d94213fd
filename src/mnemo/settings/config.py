"""`config.json`, as a file: read whole, written whole.

What a person wrote is never lost: a file that cannot be understood is read as no file and never
written over, and what is written replaces the old file in one step, with every entry of it that
was not to be changed. What the entries mean is in `preferences`.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from mnemo.errors import Refused
from mnemo.settings.preferences import understood, with_change


def read_config(file: Path) -> dict[str, Any]:
    """The entries of the file; none where it is not there. Raises Refused where it is no JSON
    object, or cannot be read.
    """
    try:
        values: Any = json.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, str(error)) from error
    if not isinstance(values, dict):
        raise _unreadable(file, "it holds no JSON object")
    return cast("dict[str, Any]", values)


def _unreadable(file: Path, reason: str) -> Refused:
    return Refused(
        f"{file} cannot be read and was left as it is: {reason}", hint="mend it, or move it away"
    )


def write_config(file: Path, values: Mapping[str, Any]) -> None:
    """Put these entries in the file's place, for its owner alone; all of it or nothing.

    A link stays a link. Raises Refused where the folder cannot be written to.
    """
    file = file.resolve()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")  # mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as written:
                written.write(_text(values))
                written.flush()
                os.fsync(written.fileno())
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Refused(
            f"{file} cannot be written: {error.strerror or error}",
            hint="check the permissions of the folder; nothing was changed",
        ) from error


def change_config(file: Path, values: Mapping[str, Any]) -> dict[str, Any]:
    """Set these keys in the file; None: taken out of it. Everything else in it stays.

    Comes back with ``{"from", "to"}`` of each key that holds something else now or is set anew;
    empty where the file says so already, and then it is not written.
    """
    old = read_config(file)
    set_anew = {n for n, v in values.items() if _text(with_change(old, n, v)) != _text(old)}
    if not set_anew:
        return {}
    new = old
    for name, value in values.items():
        new = with_change(new, name, value)
    write_config(file, new)
    before, after = (understood(entries)[0].model_dump(mode="json") for entries in (old, new))
    return {
        name: {"from": before[name], "to": after[name]}
        for name in after
        if name in set_anew or before[name] != after[name]
    }


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"


FileState = tuple[int, int, int]


def state_of(file: Path) -> FileState | None:
    """What changes whenever the file does: its time, size and number; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
