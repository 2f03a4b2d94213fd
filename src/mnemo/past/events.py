"""The events: what was done when, by whom, newest first or counted. Changes nothing."""

from datetime import datetime, timedelta
from typing import Any

from mnemo import times
from mnemo.errors import InvalidInput
from mnemo.models import Frozen, Reply, Stamp
from mnemo.past.told import operation_name
from mnemo.store import Asked, Grouping, Store, StoredEvent

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


class EventGroup(Frozen):
    """How many events share a key."""

    key: str
    count: int


class EventGroupsReply(Reply):
    """Events counted; every event is counted, however many there are."""

    groups: tuple[EventGroup, ...]


def asked_for(
    *, action: str, since_days: float, fact_id: int | None, actor: str, now: datetime
) -> Asked:
    """Which events are meant. A type or an actor that nobody knows has none.

    Raises InvalidInput for a number of days that is none.
    """
    if not 0 <= since_days <= _OLDEST_DAYS:
        raise InvalidInput(f"since_days {since_days:g} is no number of days", hint="such as 7")
    since = times.stamp(now - timedelta(days=since_days)) if since_days else ""
    return Asked(
        action=action.strip().upper(), since=since, fact_id=fact_id, actor=actor.strip().lower()
    )


def list_events(store: Store, asked: Asked, *, limit: int) -> EventsReply:
    """The newest of these events."""
    found = tuple(map(_event, store.events.newest(asked, limit=min(limit, _MOST))))
    return EventsReply(events=found, count=len(found), total=store.events.count(asked))


def count_events(store: Store, asked: Asked, group_by: str) -> EventGroupsReply:
    """These events, counted by ``action`` (where it is blank), ``day`` or ``entry``."""
    try:
        grouping = Grouping(group_by.strip().lower() or Grouping.ACTION)
    except ValueError:
        raise InvalidInput(
            f"events cannot be grouped by {group_by!r}", hint=f"allowed: {', '.join(Grouping)}"
        ) from None
    groups = store.events.groups(asked, grouping)
    return EventGroupsReply(groups=tuple(EventGroup(key=k, count=n) for k, n in groups))


def _event(stored: StoredEvent) -> Event:
    entry = stored.entry_id
    return Event(
        t=stored.t,
        actor=stored.actor,
        action=stored.action,
        entry_id=int(entry) if entry and entry.isdecimal() else entry,
        detail=stored.detail,
        op=None if stored.op_id is None else operation_name(stored.op_id),
    )
