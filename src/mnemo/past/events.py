"""The events: what was done when, by whom, newest first or counted. Changes nothing."""

from datetime import datetime, timedelta
from typing import Any

from mnemo import times
from mnemo.enums import Actor
from mnemo.errors import InvalidInput, no_such_fact
from mnemo.models import Frozen, Reply, Stamp
from mnemo.store import Asked, Grouping, Store, StoredEvent, operation_name
from mnemo.text.secrets import redacted

EVENTS_LIMIT = 50
_MOST = 500
_OLDEST_DAYS = 100_000.0


class Event(Frozen):
    """One thing that was done: when, by whom, to which fact, in which operation."""

    t: Stamp
    actor: str | None
    action: str
    entry_id: int | str | None
    detail: Any
    op: str | None


class EventsReply(Reply):
    """Events, newest first; ``total`` counts all that were asked for, also beyond these."""

    events: tuple[Event, ...]
    count: int
    total: int
    notes: tuple[str, ...] = ()


class EventGroup(Frozen):
    """How many events share a key."""

    key: str
    count: int


class EventGroupsReply(Reply):
    """Events counted; every event is counted, however many there are."""

    groups: tuple[EventGroup, ...]
    notes: tuple[str, ...] = ()


def asked_for(
    *, action: str, since_days: float, fact_id: int | None, actor: str, now: datetime
) -> Asked:
    """Which events are meant. A type that nobody knows has none.

    Raises InvalidInput for a number of days that is none, and for an actor that nobody is.
    """
    if not 0 <= since_days <= _OLDEST_DAYS:
        raise InvalidInput(f"{since_days:g} is no number of days", hint="give one such as 7")
    since = times.stamp(now - timedelta(days=since_days)) if since_days else ""
    actor = actor.strip().lower()
    if actor and actor not in tuple(Actor):
        raise InvalidInput(f"there is no actor {actor!r}", hint=f"allowed: {', '.join(Actor)}")
    return Asked(action=action.strip(), since=since, fact_id=fact_id, actor=actor)


def list_events(store: Store, asked: Asked, *, limit: int) -> EventsReply:
    """The newest of these events."""
    found = tuple(map(_event, store.events.newest(asked, limit=min(limit, _MOST))))
    total = store.events.count(asked)
    notes = () if total else _why_none(store, asked)
    return EventsReply(events=found, count=len(found), total=total, notes=notes)


def count_events(store: Store, asked: Asked, group_by: str) -> EventGroupsReply:
    """These events, counted by ``action`` (where it is blank), ``day`` or ``entry``."""
    try:
        grouping = Grouping(group_by.strip().lower() or Grouping.ACTION)
    except ValueError:
        raise InvalidInput(
            f"events cannot be grouped by {group_by!r}", hint=f"allowed: {', '.join(Grouping)}"
        ) from None
    groups = store.events.groups(asked, grouping)
    return EventGroupsReply(
        groups=tuple(EventGroup(key=k, count=n) for k, n in groups),
        notes=() if groups else _why_none(store, asked),
    )


def _why_none(store: Store, asked: Asked) -> tuple[str, ...]:
    """What to say where there is no such event, since what was named may be misspelt."""
    notes: list[str] = []
    known = sorted(name for name, _ in store.events.groups(Asked(), Grouping.ACTION))
    if asked.action and known and asked.action.upper() not in known:
        notes.append(f"no event is of the type {asked.action}; there are {', '.join(known)}")
    if asked.fact_id is not None and not store.facts.get([asked.fact_id]):
        notes.append(no_such_fact(asked.fact_id).message)
    return tuple(notes)


def _event(stored: StoredEvent) -> Event:
    entry = stored.entry_id
    return Event(
        t=stored.t,
        actor=stored.actor,
        action=stored.action,
        entry_id=int(entry) if entry and entry.isdecimal() else entry,
        detail=redacted(stored.detail),  # logs of other programs and times may hold secrets
        op=None if stored.op_id is None else operation_name(stored.op_id),
    )
