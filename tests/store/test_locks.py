"""One process at a time, also where its owner died or its clock was wrong."""

import json
import os
import platform
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemo.store import Store
from mnemo.store.locks import LASTS

# Takes the lock, says whether it has it, and lives until its input ends.
TAKES = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mnemo.store import Store
now = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
store = Store(Path(sys.argv[1]), now=now)
print(store.locks.acquire("dream", now=now), flush=True)
sys.stdin.read()
"""

Start = Callable[..., subprocess.Popen[str]]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def owner(store: Store, path: Path, start_process: Start) -> subprocess.Popen[str]:
    """A living process that holds the lock."""
    process = start_process(TAKES, path)
    assert process.stdout
    assert process.stdout.readline() == "True\n"
    return process


@pytest.mark.process
def test_a_living_owner_keeps_its_lock(
    store: Store, owner: subprocess.Popen[str], now: datetime
) -> None:
    assert not store.locks.acquire("dream", now=now + MINUTE)
    assert store.locks.acquire("another", now=now + MINUTE)
    assert owner.poll() is None


@pytest.mark.process
def test_a_dead_owners_lock_is_broken_at_once(
    store: Store, owner: subprocess.Popen[str], now: datetime
) -> None:
    owner.kill()
    owner.wait()
    assert store.locks.acquire("dream", now=now)


@pytest.mark.process
def test_a_lock_expires_even_where_its_owner_lives(
    store: Store, owner: subprocess.Popen[str], now: datetime
) -> None:
    assert not store.locks.acquire("dream", now=now + LASTS - MINUTE)
    assert store.locks.acquire("dream", now=now + LASTS)


@pytest.mark.process
def test_only_the_owner_gives_a_lock_back(
    store: Store, owner: subprocess.Popen[str], now: datetime
) -> None:
    store.locks.release("dream")
    assert not store.locks.acquire("dream", now=now)


def test_a_lock_is_renewed_by_its_owner_and_free_after_its_release(
    store: Store, now: datetime
) -> None:
    assert store.locks.acquire("dream", now=now)
    assert store.locks.acquire("dream", now=now + MINUTE)
    store.locks.release("dream")
    assert store.meta.get("lock:dream") is None
    store.locks.release("dream")


def test_two_stores_in_one_process_are_two_owners(store: Store, path: Path, now: datetime) -> None:
    with closing(Store(path, now=now)) as other:
        assert store.locks.acquire("dream", now=now)
        assert not other.locks.acquire("dream", now=now)
        other.locks.release("dream")
        assert not other.locks.acquire("dream", now=now)
        store.locks.release("dream")
        assert other.locks.acquire("dream", now=now)


def test_the_lock_of_a_dead_process_whose_id_is_ours_now_is_no_lock(
    store: Store, now: datetime
) -> None:
    """In a container, the process after a crash has the same id and the same machine's name."""
    lock(store, host=platform.node(), pid=os.getpid(), expires="2026-05-14 12:05:00")
    assert store.locks.acquire("dream", now=now)


def test_an_owner_on_another_machine_is_believed_until_its_lock_expires(
    store: Store, now: datetime
) -> None:
    lock(store, host="elsewhere", expires="2026-05-14 12:05:00")
    assert not store.locks.acquire("dream", now=now)
    assert store.locks.acquire("dream", now=now + 5 * MINUTE)


def test_a_lock_from_the_future_is_no_lock(store: Store, now: datetime) -> None:
    """Its owner's clock was wrong, or ours was set back: nobody can hold it for that long."""
    lock(store, host="elsewhere", expires="2027-01-01 00:00:00")
    assert store.locks.acquire("dream", now=now)


@pytest.mark.parametrize("expires", ["", "soon", None])
def test_a_lock_without_an_end_is_no_lock(store: Store, now: datetime, expires: str | None) -> None:
    lock(store, host="elsewhere", expires=expires)
    assert store.locks.acquire("dream", now=now)


def lock(store: Store, *, host: str, expires: str | None, pid: int = 1) -> None:
    with store.transaction():
        owner = {"host": host, "pid": pid, "expires": expires}
        store.meta.set("lock:dream", json.dumps(owner))


@pytest.mark.parametrize("held", ["not json", "[]", "null", "{}"])
def test_a_lock_that_names_nobody_is_nobodys(store: Store, now: datetime, held: str) -> None:
    with store.transaction():
        store.meta.set("lock:dream", held)
    assert store.locks.acquire("dream", now=now)
