"""One process at a time, for work that runs by itself: a row that names its owner and expires.

The lock is advisory and lives in `meta`, so every process that shares the file sees it. A dead
owner's lock is broken: at once where the owner ran on this machine and its process is gone, else
when it expires.
"""

import json
import os
import platform
import sqlite3
from datetime import datetime, timedelta

from mnemo import times
from mnemo.store.connection import transaction
from mnemo.store.meta import Meta

LASTS = timedelta(minutes=10)


class Locks:
    """Named locks, each held by at most one process."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._meta = Meta(connection)

    def acquire(self, name: str, *, now: datetime) -> bool:
        """Take the lock, or renew it where this process holds it; False where another does."""
        with transaction(self._connection):
            held = self._meta.get(_key(name))
            if held is not None and not _may_be_taken(json.loads(held), now):
                return False
            owner = {
                "host": platform.node(),
                "pid": os.getpid(),
                "expires": times.stamp(now + LASTS),
            }
            self._meta.set(_key(name), json.dumps(owner))
            return True

    def release(self, name: str) -> None:
        """Give the lock back; nothing happens where this process does not hold it."""
        with transaction(self._connection):
            held = self._meta.get(_key(name))
            if held is not None and _is_ours(json.loads(held)):
                self._meta.delete(_key(name))


def _key(name: str) -> str:
    return f"lock:{name}"


def _is_ours(owner: dict[str, object]) -> bool:
    return owner.get("host") == platform.node() and owner.get("pid") == os.getpid()


def _may_be_taken(owner: dict[str, object], now: datetime) -> bool:
    expires = times.parse(owner.get("expires"))
    if expires is None or expires <= now or expires > now + LASTS or _is_ours(owner):
        return True
    return owner.get("host") == platform.node() and not _is_alive(owner.get("pid"))


def _is_alive(pid: object) -> bool:
    if not isinstance(pid, int):
        return False
    if os.name == "nt":
        return True  # there, os.kill would not ask but end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
