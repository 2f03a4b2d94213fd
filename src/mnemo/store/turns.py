"""How those who write to one file take turns.

SQLite gives the write lock to whoever happens to ask when it is free, and lets those who wait ask
ever more seldom, in the end ten times a second: work that commits and at once begins again would
keep them out until they give up. So two rules hold for every transaction. Who waits asks every few
milliseconds. And a connection that has written for long rests before it writes on, so long that
also another program, which asks as SQLite does, gets its turn: in its first tenth of a second that
asks every 25 ms at least.
"""

import contextlib
import math
import sqlite3
import time
from collections.abc import Generator

PATIENCE_SECONDS = 5.0
_ASKS_EVERY_SECONDS = 0.004
# Long work takes transactions of about 80 ms; each of them, or several that are shorter, is a turn.
_TURN_SECONDS = 0.06
_REST_SECONDS = 0.03


class Turns:
    """The turns of one connection."""

    def __init__(self) -> None:
        self._written = 0.0  # seconds, since it last rested
        self._ended = -math.inf

    @contextlib.contextmanager
    def turn(self, connection: sqlite3.Connection, *, patience: float) -> Generator[None]:
        """Hold the write lock, begun within a new transaction, which the caller ends.

        Raises sqlite3.OperationalError where another connection held it for ``patience`` seconds.
        """
        self._rest()
        _begin(connection, patience)
        begun = time.monotonic()
        try:
            yield
        finally:
            self._ended = time.monotonic()
            self._written += self._ended - begun

    def _rest(self) -> None:
        rested = time.monotonic() - self._ended
        if rested < _REST_SECONDS:
            if self._written < _TURN_SECONDS:
                return
            time.sleep(_REST_SECONDS - rested)
        self._written = 0.0


def _begin(connection: sqlite3.Connection, patience: float) -> None:
    deadline = time.monotonic() + patience
    (timeout,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute("PRAGMA busy_timeout=0").fetchone()
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
            time.sleep(_ASKS_EVERY_SECONDS)
    finally:
        connection.execute(f"PRAGMA busy_timeout={timeout}").fetchone()


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the error says that another connection holds a lock."""
    name: str = getattr(error, "sqlite_errorname", "") or ""
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
