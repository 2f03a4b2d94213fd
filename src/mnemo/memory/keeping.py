"""The verbs about the file and the preferences beside it."""

from collections.abc import Mapping
from typing import Any

from mnemo.backups import (
    BackupReply,
    BackupsReply,
    RestoreBackupReply,
    list_backups,
    make_backup,
    refuse_missing,
    restore_backup,
)
from mnemo.enums import Op
from mnemo.models import ConfigReply
from mnemo.session import Session
from mnemo.settings import Preferences
from mnemo.settings.config import change_config
from mnemo.settings.preferences import checked_value, key_named


class Keeping(Session):
    """Settings and backups."""

    def config(self, *keys: str) -> ConfigReply:
        """The settings of these names, or all, as they hold now. Opens no database."""
        settings = self.settings
        held = settings.preferences.model_dump(mode="json")
        names = [key_named(key) for key in keys] or list(held)
        return ConfigReply(path=str(settings.file), settings={name: held[name] for name in names})

    def set_config(self, key: str, value: str | float) -> ConfigReply:
        """Write a setting into `config.json`; a text is read as a person types it.

        Raises InvalidInput for a key that does not exist or a value that it cannot have, and
        Refused for a file that cannot be read; the file is then as it was.
        """
        name = key_named(key)
        return self._configure({name: checked_value(name, value)})

    def reset_config(self, *keys: str) -> ConfigReply:
        """Take these settings, or all, out of `config.json`, so that their defaults hold."""
        return self._configure(dict.fromkeys(map(key_named, keys or Preferences.model_fields)))

    def _configure(self, values: Mapping[str, Any]) -> ConfigReply:
        with self._operation(Op.CONFIG) as (_, op), op.batch():
            # The write lock of the database lets one process at a time change the file.
            changed = change_config(self.settings.file, values)
            if changed:
                op.event("CONFIG", **changed)
        return self.config(*values).model_copy(update={"changed": tuple(changed)})

    def backup(self) -> BackupReply:
        """Copy the whole database now, and verify the copy.

        Raises NotFound where there is no database.
        """
        refuse_missing(self.settings.database)
        with self._open(catch_up=False) as store:
            return make_backup(store, now=self._clock())

    def backups(self) -> BackupsReply:
        """The backups of this database, newest first, each read through. Changes nothing."""
        return list_backups(self.settings.database)

    def restore_backup(self, name: str, *, dry_run: bool = False) -> RestoreBackupReply:
        """Let the database hold what a backup holds; what it held is backed up before."""
        with self._turn:
            self._let_go()
            return restore_backup(
                self.settings.database,
                name,
                actor=self._actor,
                now=self._clock(),
                dry_run=dry_run,
            )
