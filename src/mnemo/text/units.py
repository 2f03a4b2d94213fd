"""What two texts are compared by: the things they say, in order, and how a clause says them.

A unit is a word, a number, a name, a negation or a limit; `reading.py` finds them. Knows two turns
of a clause that say the same: a passive for an active, and "the dog, which is big," for "the big
dog". What must hold: a turn keeps every unit.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mnemo.text.inflection import Form, is_participle
from mnemo.text.roles import Role

_PHRASE: Final = 4
"""Words up to which a noun's phrase is looked for before it."""


class Unit(NamedTuple):
    """One thing that a text says. Two units say the same where their keys are equal."""

    key: str
    text: str
    role: Role
    clause: int
    sentence: int
    small: tuple[str, ...]
    """Tenses, prepositions, junctions, modal verbs and pronouns since the unit before this one."""
    owned: str
    """"of" in "A of this", "的" in "A's this" and "A 的 this", else ""."""
    article: str
    """The article before this unit in lower case, else ""."""
    name: str
    """The folded, unstemmed form of a word that is written as a name within its sentence."""
    form: Form
    start: int
    end: int


class Reading(NamedTuple):
    """A text that was read. `tail` holds the small words after the last unit."""

    folded: str
    units: tuple[Unit, ...]
    tail: tuple[str, ...]
    borders: frozenset[int]
    """Where a Han word begins or ends in the folded text, function words included."""
    passive: bool


def turned_active(clause: list[Unit], verb: int, agent: int | None, *, wide: bool) -> list[Unit]:
    """The units of a passive clause in active order: "B was seen by A" → A saw B.

    `verb` is the place of the participle and `agent` that of who did it, None where nobody is
    named; the same place for both means 被, after which the agent comes before the verb. What
    follows an agent after a preposition is said of the whole, or of the agent where `wide`.
    """
    end = len(clause) if agent is None else agent
    done_by, rest = clause[end:], clause[:0]
    if agent is None or agent > verb:
        action, aim = clause[verb : verb + 1], clause[verb + 1 : end]
        if not wide:
            joints = (i for i, unit in enumerate(done_by) if i and has_preposition(unit))
            cut = next(joints, len(done_by))
            done_by, rest = done_by[:cut], done_by[cut:]
    else:
        done_by, action, aim = done_by[:-1], done_by[-1:], rest
    first = verb
    while first and clause[first - 1].role is Role.NEGATOR:
        first -= 1
    return [*done_by, *clause[first:verb], *action, *clause[:first], *aim, *rest]


def preposed(units: list[Unit], at: int) -> list[Unit]:
    """`units` with the attribute that begins at `at` before its noun: dog, big → big dog.

    Only where the attribute is one or two plain words, up to a preposition; else as they are.
    """
    ends = (i for i in range(at, len(units)) if has_preposition(units[i]))
    end = next(ends, len(units))
    added, noun = units[at:end], units[at - 1]
    if not 1 <= len(added) <= 2 or noun.sentence != added[0].sentence:
        return units
    if any(unit.role is not Role.WORD for unit in added):
        return units
    if len(added) == 2 and added[0].text.endswith("ing"):
        return units  # "who is wearing red" has an object
    if end < len(units) and is_participle(added[0].text.casefold()):
        return units  # "who are dressed in red" is "dressed in red"
    starts = (i for i in range(at - 1, max(at - _PHRASE, -1), -1) if _begins_phrase(units, i))
    first = next(starts, at - 1)
    opening = units[first]
    moved = [unit._replace(clause=opening.clause, small=()) for unit in added]
    moved[0] = moved[0]._replace(small=opening.small, owned=opening.owned, article=opening.article)
    bare = opening._replace(small=(), owned="", article="")
    return [*units[:first], *moved, bare, *units[first + 1 : at], *units[end:]]


def has_preposition(unit: Unit) -> bool:
    """True where a preposition stands between the unit before and this one."""
    return any(small[0] == "p" for small in unit.small)


def _begins_phrase(units: Sequence[Unit], at: int) -> bool:
    if at == 0:
        return True
    unit, before = units[at], units[at - 1]
    if unit.article or unit.small or unit.owned or unit.clause != before.clause:
        return True
    return before.role is not Role.WORD
