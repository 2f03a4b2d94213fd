"""How one caller uses the store: opened at the first call, kept, one thread at a time.

A session knows who is asking and holds the clock. It knows no verb of the memory; what it must
hold is that a failed call leaves a file that the next call opens anew, and that long work stops at
a transaction boundary when it is told to.
"""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Generator, Sequence
from datetime import datetime
from typing import TypeVar

from mnemo import times
from mnemo.enums import Actor, Op
from mnemo.errors import MnemoError, Stopped, StoreUnavailable
from mnemo.settings import Settings
from mnemo.store import Operation, Store, StoreError, sqlite_errors_named
from mnemo.text import han

# How long one call works on facts that wait for the index before it answers with the rest open.
_CATCH_UP_SECONDS = 0.2
_PATIENCE_SECONDS = 5.0  # of a person, who would rather wait than ask again
# What runs by itself, in a thread of a server, leaves the processor to the calls that the server
# answers meanwhile for longer than it works.
_PAUSE_SECONDS = 0.12
_PAUSE_AFTER_SECONDS = 0.05

_log = logging.getLogger("mnemo")

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Session:
    """One caller's use of one database file."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        actor: Actor = Actor.USER,
        clock: Callable[[], datetime] = times.utc_now,
        stop: threading.Event | None = None,
    ) -> None:
        self._settings = settings or Settings.load()
        self._actor = actor
        self._clock = clock
        self._session = secrets.token_hex(4)
        self._stop = stop or threading.Event()
        self._turn = threading.Lock()
        self._store: Store | None = None
        han.keep_dictionary_in(self._settings.home / "cache")

    @property
    def settings(self) -> Settings:
        """What holds now: preferences that somebody changed in the meantime are read anew."""
        self._settings = self._settings.current()
        return self._settings

    def close(self) -> None:
        """Close the database; what was answered is on disk."""
        with self._turn:
            self._let_go()

    @contextlib.contextmanager
    def _open(self, *, catch_up: bool = True) -> Generator[Store]:
        """The store, for this thread alone, with what other programs wrote brought in step."""
        with self._turn:
            try:
                with sqlite_errors_named(self._settings.database):
                    if self._store is None:
                        self._store = Store(self._settings.database, now=self._clock())
                    if catch_up:
                        self._catch_up(self._store)
                    yield self._store
            except StoreUnavailable:
                self._let_go()
                raise

    def _catch_up(self, store: Store) -> None:
        seconds = _PATIENCE_SECONDS if self._actor == Actor.USER else _CATCH_UP_SECONDS
        try:
            store.index.catch_up(seconds=seconds)
        except StoreError as error:
            # A store that can only be read, or is being written, is searched as it is indexed.
            _log.warning("the index could not be brought in step: %s", error)

    def _let_go(self) -> None:
        """Close the file, so that the next call opens it anew, and mends what opening mends."""
        if self._store is not None:
            self._store.close()
            self._store = None

    @contextlib.contextmanager
    def _operation(self, kind: Op) -> Generator[tuple[Store, Operation]]:
        with self._open() as store:
            yield (
                store,
                store.journal.operation(
                    kind, actor=self._actor, session=self._session, now=self._clock()
                ),
            )

    def _each(
        self,
        kind: Op,
        items: Sequence[Item],
        do: Callable[[Store, Operation, Item], Answer],
    ) -> tuple[Answer | MnemoError, ...]:
        """One answer an item, as one operation; what is refused stops no other item."""
        answers: tuple[Answer | MnemoError, ...] = ()
        with self._operation(kind) as (store, op):
            for item in items:
                try:
                    with sqlite_errors_named(store.path):
                        answers += (do(store, op, item),)
                except StoreUnavailable as error:
                    # What came before is stored; what comes after would fail like this one.
                    self._let_go()
                    return (*answers, *[error] * (len(items) - len(answers)))
                except MnemoError as error:
                    answers += (error,)
        return answers

    def _pauses(self) -> Callable[[], None]:
        """What long work calls between two transactions: raises Stopped where the session was told
        to stop. What runs by itself pauses there.
        """
        by_itself = self._actor == Actor.SYSTEM
        since = time.monotonic()

        def go_on() -> None:
            nonlocal since
            pause = by_itself and time.monotonic() - since > _PAUSE_AFTER_SECONDS
            if self._stop.wait(_PAUSE_SECONDS if pause else 0.0):
                raise Stopped("told to stop", hint="what was done so far is kept and whole")
            if pause:
                since = time.monotonic()

        return go_on
