"""Which page of an answer can be asked for."""

from mnemo.errors import InvalidInput


def checked_limit(limit: int) -> None:
    """Raises InvalidInput for a limit that is no number of facts."""
    if limit < 1:
        raise InvalidInput(f"limit {limit} is below 1", hint="give how many facts at most")


def checked_offset(offset: int, name: str) -> None:
    """Raises InvalidInput for a place before the beginning."""
    if offset < 0:
        raise InvalidInput(f"{name} {offset} is below 0", hint=f"the first page has {name} 0")
