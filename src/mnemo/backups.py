"""Backups as a person meets them: made on request, listed, and brought back.

How a copy is made, verified and put in the database's place is the store's; here is which file a
name means, what is told about it, and that nothing else rearranges the facts meanwhile.
"""

import os
from datetime import datetime
from pathlib import Path

from mnemo import times
from mnemo.enums import Actor
from mnemo.errors import NotFound
from mnemo.models import Frozen, Reply, Stamp
from mnemo.store import Store
from mnemo.store.backup import backup_at, backups_in, facts_in, folder_beside
from mnemo.store.recovery import loss
from mnemo.store.restoring import Restorable, restorable

MANUAL = "manual"


class BackupReply(Reply):
    """A backup that was made and verified; ``facts`` counts facts of any status."""

    backup: str
    facts: int
    size: int


class StoredBackup(Frozen):
    """A file in the backup folder. ``facts`` is None where it is not sound."""

    name: str
    kind: str
    created_at: Stamp
    size: int
    facts: int | None
    sound: bool


class BackupsReply(Reply):
    """The backups of a database, newest first."""

    folder: str
    backups: tuple[StoredBackup, ...]


class RestoreBackupReply(Reply):
    """What came back, and what it replaced; counts are of facts of any status.

    ``newer`` facts are only in what was replaced, ``changed`` ones are in both and differ.
    """

    restored: bool
    backup: str
    created_at: Stamp
    facts: int
    facts_before: int
    newer: int
    changed: int
    replaced: str | None  # where what was replaced is kept
    db_path: str


def refuse_missing(database: Path) -> None:
    """Raise NotFound where there is no database: what looks after one makes none."""
    if not database.exists():
        raise NotFound(
            f"there is no memory at {database}",
            hint="mnemo add makes one; or set MNEMO_HOME or MNEMO_DB_PATH to where it is",
        )


def note_of_loss(store: Store) -> tuple[str, ...]:
    """What to say of a memory without a single fact beside a backup that has some."""
    if store.facts.counts_by("status", active_only=False):
        return ()
    return tuple(filter(None, [loss(store.path)]))


def make_backup(store: Store, *, now: datetime) -> BackupReply:
    """Copy the whole database now.

    Raises StoreUnavailable where the copy cannot be written or does not verify.
    """
    path = store.backup(kind=MANUAL, now=now)
    return BackupReply(
        backup=str(path),
        facts=sum(store.facts.counts_by("status", active_only=False).values()),
        size=path.stat().st_size,
    )


def list_backups(database: Path) -> BackupsReply:
    """What lies in the backup folder; every file is read through to say whether it is sound."""
    folder = folder_beside(database)
    found: list[StoredBackup] = []
    for backup in backups_in(folder):
        facts = facts_in(backup.path)
        found.append(
            StoredBackup(
                name=backup.path.name,
                kind=backup.kind,
                created_at=times.stamp(backup.moment),
                size=backup.path.stat().st_size,
                facts=facts,
                sound=facts is not None,
            )
        )
    return BackupsReply(folder=str(folder), backups=tuple(found))


def restore_backup(
    database: Path, name: str, *, actor: Actor, now: datetime, dry_run: bool = False
) -> RestoreBackupReply:
    """Let the database hold what a backup holds; with ``dry_run`` only say what that would do.

    ``name`` is a name in the backup folder or a path. Raises NotFound, Refused or
    StoreUnavailable where it cannot be done; nothing is changed then.
    """
    backup = _named(name, database)
    with restorable(backup, database, now=now) as copy:
        told = _told(copy, database)
        if dry_run:
            return told
        kept = copy.put_in_place(actor=actor, now=now)
    return told.model_copy(
        update={"restored": True, "replaced": None if kept is None else str(kept)}
    )


def _named(name: str, database: Path) -> Path:
    folder = folder_beside(database)
    is_bare = os.path.basename(name) == name  # noqa: PTH119
    if is_bare and (folder / name).is_file():
        return folder / name
    path = Path(name).expanduser().absolute()
    if is_bare and not path.exists():
        raise NotFound(f"no backup named {name} in {folder}", hint="mnemo backups lists them")
    return path


def _told(copy: Restorable, database: Path) -> RestoreBackupReply:
    difference = copy.difference()
    return RestoreBackupReply(
        restored=False,
        backup=str(copy.backup),
        created_at=times.stamp(backup_at(copy.backup).moment),
        facts=difference.facts,
        facts_before=difference.facts_now,
        newer=difference.newer,
        changed=difference.changed,
        replaced=None,
        db_path=str(database),
    )
