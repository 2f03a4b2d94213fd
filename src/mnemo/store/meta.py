"""Small facts about the store itself: one row of text a key."""

import sqlite3


class Meta:
    """The table of keys and values. Writing belongs inside a transaction of the caller."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> str | None:
        """The value under ``key``; None where there is none."""
        row = self._connection.execute("SELECT v FROM meta WHERE k = ?", (key,)).fetchone()
        return None if row is None else row["v"]

    def set(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``, in place of what was there."""
        self._connection.execute("INSERT OR REPLACE INTO meta(k, v) VALUES (?, ?)", (key, value))

    def delete(self, key: str) -> None:
        """Forget what is kept under ``key``."""
        self._connection.execute("DELETE FROM meta WHERE k = ?", (key,))
