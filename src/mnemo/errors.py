"""What can go wrong, in the words of the person who meets it.

Every error knows one sentence (what is wrong with which value), a hint (what is allowed, what
to do) and the exit code of the command line. A door, the tool or the command, converts it once;
nothing between catches it to continue. A failure is never turned into an empty answer.
"""


class MnemoError(Exception):
    """Base of all errors that are shown to a person: a sentence and a hint."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidInput(MnemoError):
    """A value that was given cannot be used; nothing was written."""

    exit_code = 2


class NotFound(MnemoError):
    """No fact has the id that was given."""


def no_such_fact(*fact_ids: int) -> NotFound:
    """The error for ids that no fact has."""
    return NotFound(
        f"there is no fact {', '.join(map(str, fact_ids))}",
        hint="search or list shows the facts with their ids",
    )


def no_id(shown: str) -> InvalidInput:
    """The error for what was given as the id of a fact and is no whole number."""
    return InvalidInput(
        f"fact_id {shown} is not the id of a fact", hint="give ids as numbers, such as 12"
    )


class Refused(MnemoError):
    """The request is understood, but the state of the store forbids it."""


class StoreUnavailable(MnemoError):
    """The database cannot be opened, read or written."""


class Damaged(StoreUnavailable):
    """The file is no sound database."""


class Stopped(MnemoError):
    """Long work ended early since its process is to end; what was written is whole."""
