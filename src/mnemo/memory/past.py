"""The verbs about what was done."""

from mnemo.memory.pages import checked_limit
from mnemo.past.events import (
    EVENTS_LIMIT,
    EventGroupsReply,
    EventsReply,
    asked_for,
    count_events,
    list_events,
)
from mnemo.past.purge import PurgeReply, purge_facts
from mnemo.past.story import HistoryReply, tell_story
from mnemo.past.undo import How, UndoReply, redo_operation, undo_operation
from mnemo.session import Session


class Past(Session):
    """Taking back, telling and forgetting what was done."""

    def undo(self, op: str = "", *, dry_run: bool = False, partial: bool = False) -> UndoReply:
        """Take back what an operation such as op-7 changed; unnamed, the newest not undone yet.

        Where a fact has changed since, nothing is undone; with ``partial`` the rest is.
        """
        with self._open() as store:
            return undo_operation(store, op, self._how(dry_run=dry_run, partial=partial))

    def redo(self, *, dry_run: bool = False, partial: bool = False) -> UndoReply:
        """Bring back what the newest undo took back."""
        with self._open() as store:
            return redo_operation(store, self._how(dry_run=dry_run, partial=partial))

    def history(self, fact_id: int) -> HistoryReply:
        """What was done to a fact, oldest first, and how it was used. Changes nothing."""
        with self._open(catch_up=False) as store:
            return tell_story(store, fact_id)

    def events(
        self,
        *,
        action: str = "",
        since_days: float = 0.0,
        fact_id: int | None = None,
        actor: str = "",
        limit: int = EVENTS_LIMIT,
        aggregate: bool = False,
        group_by: str = "",
    ) -> EventsReply | EventGroupsReply:
        """What was done, newest first; counted with ``aggregate`` or ``group_by``: action, day or
        entry. Changes nothing.
        """
        checked_limit(limit)
        asked = asked_for(
            action=action, since_days=since_days, fact_id=fact_id, actor=actor, now=self._clock()
        )
        with self._open(catch_up=False) as store:
            if aggregate or group_by:
                return count_events(store, asked, group_by)
            return list_events(store, asked, limit=limit)

    def purge(self, *fact_ids: int, dry_run: bool = False) -> PurgeReply:
        """Erase facts for good, after a backup; nothing but that backup brings them back."""
        with self._open() as store:
            return purge_facts(
                store,
                fact_ids,
                now=self._clock(),
                actor=self._actor,
                session=self._session,
                dry_run=dry_run,
            )

    def forget_old_operations(self) -> None:
        """Let go of what in the journal is older than it is kept; facts stay as they are."""
        with self._open(catch_up=False) as store:
            go_on = self._pauses()
            while store.forgetting.forget_next(now=self._clock()):
                go_on()

    def _how(self, *, dry_run: bool, partial: bool) -> How:
        return How(
            self._clock(), self._actor, self._session, dry_run, partial, between=self._pauses()
        )
