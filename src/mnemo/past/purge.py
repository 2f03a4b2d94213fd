"""Erasing facts for good: the one thing that no undo brings back.

The database is backed up before, and the backup verified, so a purge by mistake can be mended
from there until the backup goes. A survivor whose words are findable for others is not erased
from under them.
"""

from collections.abc import Sequence
from datetime import datetime

from mnemo.enums import Actor, Op
from mnemo.errors import Refused, no_such_fact
from mnemo.models import Reply
from mnemo.past.told import listed
from mnemo.store import Store


class PurgeReply(Reply):
    """The facts that were erased, or would be, and the backup that still has them."""

    purged: tuple[int, ...]
    backup: str | None
    notes: tuple[str, ...]
    dry_run: bool = False


def purge_facts(
    store: Store,
    fact_ids: Sequence[int],
    *,
    now: datetime,
    actor: Actor,
    session: str,
    dry_run: bool = False,
) -> PurgeReply:
    """Erase facts of any status.

    Raises NotFound or Refused where one of them cannot go, StoreUnavailable where no backup could
    be made; nothing is erased then.
    """
    asked = tuple(dict.fromkeys(fact_ids))
    _refuse_unknown(store, asked)
    _refuse_survivors(store, asked)
    if dry_run:
        return PurgeReply(purged=asked, backup=None, notes=(_FOR_GOOD,), dry_run=True)
    backup = store.backup(kind="purge", now=now)
    operation = store.journal.operation(Op.PURGE, actor=actor, session=session, now=now)
    store.erase(operation, asked)
    kept = f"backups still hold what was erased: delete them in {backup.parent} to be rid of it"
    return PurgeReply(purged=asked, backup=str(backup), notes=(_FOR_GOOD, kept))


_FOR_GOOD = "a purge cannot be undone"


def _refuse_unknown(store: Store, asked: Sequence[int]) -> None:
    known = {fact.fact_id for fact in store.facts.get(asked)}
    if missing := [i for i in asked if i not in known]:
        raise no_such_fact(*missing)


def _refuse_survivors(store: Store, asked: Sequence[int]) -> None:
    for survivor, absorbed in store.facts.absorbed(asked).items():
        if left := [i for i in absorbed if i not in asked]:
            raise Refused(
                f"fact {survivor} stands for {listed(f'fact {i}' for i in left)}, merged into it",
                hint="purge them as well, or restore them first",
            )
