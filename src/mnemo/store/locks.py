"""One at a time, for work that must not meet its like: a row that names its owner and expires.

The lock is advisory and lives in `meta`, so every process that shares the file sees it; two
stores in one process, such as a server's and its upkeep's, are two owners. A dead owner's lock is
broken: at once where the owner ran on this machine and its process is gone, else when it expires.
"""

import contextlib
import json
import os
import platform
import secrets
import sqlite3
import time
from collections.abc import Callable, Generator
from datetime import datetime, timedelta
from typing import cast

from mnemo import times
from mnemo.errors import Refused
from mnemo.store.connection import transaction
from mnemo.store.meta import Meta

DREAM = "dream"
"""Held by whatever rearranges many facts: a dream, taking one back, restoring a backup."""

LASTS = timedelta(minutes=10)
_RENEWED_AFTER_SECONDS = 120.0

# A later process may be given the id of a dead one, and always is in a container.
_THIS_PROCESS = secrets.token_hex(8)


class Locks:
    """Named locks, each held by at most one owner: the store that this belongs to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._meta = Meta(connection)
        self._owner = {
            "host": platform.node(),
            "pid": os.getpid(),
            "process": _THIS_PROCESS,
            "holder": secrets.token_hex(4),
        }

    @contextlib.contextmanager
    def held(self, name: str, *, now: datetime, refusal: str) -> Generator[Callable[[], None]]:
        """The lock for a while, and what long work calls now and then, which renews it in time.

        Raises Refused with that sentence where another owner has it.
        """
        if not self.acquire(name, now=now):
            raise Refused(refusal, hint="wait until it has ended")
        started = renewed = time.monotonic()

        def renew() -> None:
            nonlocal renewed
            if time.monotonic() - renewed > _RENEWED_AFTER_SECONDS:
                renewed = time.monotonic()
                self.acquire(name, now=now + timedelta(seconds=renewed - started))

        try:
            yield renew
        finally:
            # What it was held for is done, or has failed for a reason of its own; and it expires.
            with contextlib.suppress(sqlite3.Error):
                self.release(name)

    def acquire(self, name: str, *, now: datetime) -> bool:
        """Take the lock, or renew it where this store holds it; False where another does."""
        with transaction(self._connection):
            held = self._held(name)
            if held is not None and not self._may_take(held, now):
                return False
            self._meta.set(
                _key(name), json.dumps(self._owner | {"expires": times.stamp(now + LASTS)})
            )
            return True

    def release(self, name: str) -> None:
        """Give the lock back; nothing happens where this store does not hold it."""
        with transaction(self._connection):
            held = self._held(name)
            if held is not None and self._is_ours(held):
                self._meta.delete(_key(name))

    def _held(self, name: str) -> dict[str, object] | None:
        """The owner of the lock; None also where what stands there names nobody."""
        try:
            owner: object = json.loads(self._meta.get(_key(name)) or "null")
        except ValueError:
            return None
        return cast("dict[str, object]", owner) if isinstance(owner, dict) else None

    def _is_ours(self, owner: dict[str, object]) -> bool:
        return all(owner.get(key) == value for key, value in self._owner.items())

    def _may_take(self, owner: dict[str, object], now: datetime) -> bool:
        expires = times.parse(owner.get("expires"))
        if expires is None or expires <= now or expires > now + LASTS or self._is_ours(owner):
            return True
        return owner.get("host") == platform.node() and not _is_alive(owner)


def _key(name: str) -> str:
    return f"lock:{name}"


def _is_alive(owner: dict[str, object]) -> bool:
    pid = owner.get("pid")
    if not isinstance(pid, int):
        return False
    if pid == os.getpid():
        return owner.get("process") == _THIS_PROCESS
    if os.name == "nt":
        return True  # there, os.kill would not ask but end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
