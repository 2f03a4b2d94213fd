"""The moment of a schedule: ``daily@03:00`` or ``weekly@sun,03:00``, by the machine's clock."""

import re
from dataclasses import dataclass

from mnemo.errors import InvalidInput

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FORMS = "daily@03:00 or weekly@sun,03:00"

_DAILY = re.compile(r"daily@(\d{1,2}):(\d{2})", re.ASCII)
_WEEKLY = re.compile(r"weekly@([a-z]+),(\d{1,2}):(\d{2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class When:
    """A time of the day, every day, or on one ``weekday`` (0 is Monday)."""

    hour: int
    minute: int
    weekday: int | None = None

    @property
    def day(self) -> str:
        """The three letters of its day, as systemd writes them; empty for every day."""
        return "" if self.weekday is None else DAYS[self.weekday][:3].title()

    @property
    def day_from_sunday(self) -> int | None:
        """Its day as cron and launchd count: 0 is Sunday."""
        return None if self.weekday is None else (self.weekday + 1) % 7

    @property
    def in_words(self) -> str:
        """As a person says it."""
        day = "every day" if self.weekday is None else f"every {DAYS[self.weekday].title()}"
        return f"{day} at {self.hour:02}:{self.minute:02}"


def parse_when(text: str) -> When:
    """The moment that the text names.

    Raises InvalidInput, with the allowed forms, for any other text.
    """
    plain = "".join(text.lower().split())
    if match := _DAILY.fullmatch(plain):
        when = When(int(match[1]), int(match[2]))
    elif (match := _WEEKLY.fullmatch(plain)) and (days := _days_called(match[1])):
        when = When(int(match[2]), int(match[3]), days[0])
    else:
        raise InvalidInput(f"{text!r} names no schedule", hint=f"allowed: {FORMS}")
    if when.hour > 23 or when.minute > 59:
        raise InvalidInput(
            f"{text!r} names no time of the day", hint=f"from 00:00 to 23:59, as in {FORMS}"
        )
    return when


def _days_called(name: str) -> list[int]:
    return [i for i, day in enumerate(DAYS) if len(name) > 2 and day.startswith(name)]
