"""The row of units that grows as a text is read, with the clause and the words that wait.

Knows what reading either language takes: small words wait for the unit that follows, a clause ends
at a mark, and a clause in another turn is brought into the plain order when it ends. What must
hold: a turn keeps every unit.
"""

from typing import Final

from mnemo.text.inflection import Form
from mnemo.text.numerals import CLASSIFIERS
from mnemo.text.roles import Role
from mnemo.text.units import Unit, preposed, turned_active

_SENTENCE_ENDS: Final = frozenset(".。!?;\n")
CLAUSE_ENDS: Final = frozenset(",:…—–()[]{}") | _SENTENCE_ENDS
_MEASURED: Final = (Role.NUMBER, Role.DATE, Role.TIME)


class Row:
    """Collects the units of one text; used once."""

    def __init__(self, folded: str, *, wide: bool = False) -> None:
        self._folded = folded
        self._units: list[Unit] = []
        self._borders: set[int] = set()
        self._small: list[str] = []
        self._owned = ""
        self._article = ""
        self._clause = 0
        self._sentence = 0
        self._clause_start = 0
        self._sentence_start = 0
        self._being = -1
        self._helper = -1
        self._helped = ""
        self._verb: int | None = None
        self._agent: int | None = None
        self._is_passive = False
        self._wide = wide
        self._relative = False
        self._added: int | None = None

    def _add(
        self,
        key: str,
        text: str,
        role: Role,
        start: int,
        *,
        name: str = "",
        form: Form = Form.PLAIN,
    ) -> None:
        self._units.append(
            Unit(
                key,
                text,
                role,
                self._clause,
                self._sentence,
                tuple(self._small),
                self._owned,
                self._article,
                name,
                form,
                start,
                start + len(text),
            )
        )
        if self._small:
            self._small = []
        self._owned = self._article = ""

    def _add_listed(self, role: Role, key: str, text: str, start: int) -> None:
        """A word of the closed lists: small words are kept for the unit that follows."""
        if role is Role.LIGHT:
            return
        if role is Role.WEAK:
            self._small.append(key)
        elif role is Role.ARTICLE and self._is_article(text):
            self._article = key
        elif key == "few" and self._article == "a":
            self._add("some", text, role, start)
        elif role is Role.POSSESSIVE:
            self._owned = key
        elif role is Role.TIME and self._follows_every():
            every = self._units.pop()
            self._small, self._owned = list(every.small), every.owned
            text = self._folded[every.start : start + len(text)]
            self._add(f"{every.key} {key}", text, Role.TIME, every.start)
        else:
            self._add(key, text, Role.WORD if role is Role.ARTICLE else role, start)

    def _is_article(self, text: str) -> bool:
        """False for the name in "project A"."""
        return text[0] != "A" or len(self._units) == self._sentence_start

    def _follows_every(self) -> bool:
        if len(self._units) <= self._clause_start or self._small or self._owned:
            return False
        return self._units[-1].role is Role.ALL

    def _follows_number(self, start: int) -> bool:
        if not self._units or self._units[-1].role is not Role.NUMBER:
            return False
        return not self._folded[self._units[-1].end : start].strip()

    def _follows_measured(self, start: int) -> bool:
        """True right after a number, what it counts, or a time."""
        units = self._units[self._clause_start :]
        if not units or self._small:
            return False
        between = self._folded[units[-1].end : start].strip("%‰° ")
        if between and between not in CLASSIFIERS:
            return False
        if units[-1].role in _MEASURED:
            return True
        return len(units) > 1 and units[-2].role is Role.NUMBER

    def _close(self, sign: str) -> None:
        self._turn()
        self._helper = -1
        self._clause += 1
        self._clause_start = len(self._units)
        self._being = -1
        if sign in _SENTENCE_ENDS:
            self._sentence += 1
            self._sentence_start = len(self._units)

    def _turn(self) -> None:
        """Bring what was said in another turn into the plain order, where a clause ends."""
        added, verb, agent = self._added, self._verb, self._agent
        self._added = self._verb = self._agent = None
        end = len(self._units)
        if added is not None and 1 <= added < end:
            self._units = preposed(self._units, added)
        if verb is None or verb == end:
            return
        first = self._clause_start
        place = None if agent is None or agent == end else agent - first
        self._units[first:] = turned_active(
            self._units[first:], verb - first, place, wide=self._wide
        )
        self._is_passive = True
