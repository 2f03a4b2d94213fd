"""Moments: UTC everywhere inside, read generously, written in one form.

Stored as ``YYYY-MM-DD HH:MM:SS`` in UTC, the form that SQLite's own ``datetime()`` writes, so
that text order is time order; shown as ISO 8601 with a ``Z``. Databases of other programs hold
local times, offsets, epochs and empty strings: whatever can be read is read, a stamp without
an offset is taken as UTC, and what cannot be read is no moment at all, never an exception.
"""

from datetime import UTC, datetime

_STORED_CHARS = len("2026-05-14 12:00:00")


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """The stored form of a moment: ``YYYY-MM-DD HH:MM:SS``, UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def parse(text: object) -> datetime | None:
    """The moment that a stored value names, aware, in UTC; None where it names none."""
    if text is None or text == "":
        return None
    if isinstance(text, str) and len(text) == _STORED_CHARS:
        try:
            # The stored form, of which learning reads many: one step does for it.
            return datetime.fromisoformat(f"{text}+00:00")
        except ValueError:
            pass
    if isinstance(text, int | float):
        return _from_epoch(float(text))
    raw = str(text).strip()
    if raw.replace(".", "", 1).isdecimal() and len(raw) != len("20260514"):
        # An epoch: thirteen digits of milliseconds would else be read as a day of the year 1712.
        return _from_epoch(float(raw))
    try:
        moment = datetime.fromisoformat(raw)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def _from_epoch(seconds: float) -> datetime | None:
    # JavaScript programs write milliseconds.
    if seconds > 1e11:
        seconds /= 1000
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def age_in_days(then: datetime | None, now: datetime) -> float:
    """Days from ``then`` to ``now``; 0.0 where ``then`` is unknown or lies in the future."""
    if then is None:
        return 0.0
    return max(0.0, (now - then).total_seconds() / 86_400)


def shown(text: str | None) -> str | None:
    """A stored stamp as it is shown: ISO 8601 with ``Z``; what cannot be read stays as it is."""
    moment = parse(text)
    return text if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")
