"""What each word of a question weighs, and which of them choose the candidates.

Ranking a fact is what a search spends its time on, and the common words of a question match most
facts while telling little. So rare words choose and common words only rank what was chosen, the
idea of MaxScore (Turtle and Flood, Query Evaluation: Strategies and Optimizations, 1995). In a
store of a few hundred facts every word chooses.

Must hold: at least one known word chooses, so that whatever shares a word with the question can
be found.
"""

from collections.abc import Mapping, Sequence

from mnemo.retriever.scoring import rarity
from mnemo.store.words import Frequencies

# Facts that the choosing words may match, all together: what can be ranked in some 20 ms.
MOST_MATCHES = 12_000

# A word that most facts have still tells those that lack it: beside rarer words it weighs as much
# as one that 38 in 100 facts have.
_LEAST_WEIGHT = 0.5

# A part of a name that the question gives whole, such as the 10 of 10.0.3.21: what it tells, the
# whole tells better.
_PART_WEIGHT = 0.5


def choosing_words(words: Sequence[str], known: Frequencies, *, most: int) -> list[str]:
    """The rarest of the words that match at most so many facts together, and the rarest in any
    case; in the order of ``words``.
    """
    by_rarity = sorted((known.with_word[w], w) for w in words if w in known.with_word)
    chosen: set[str] = set()
    matches = 0
    for facts, word in by_rarity:
        matches += facts
        if chosen and matches > most:
            break
        chosen.add(word)
    return [word for word in words if word in chosen]


def question_weight(words: Sequence[str], known: Frequencies) -> float:
    """What all words of a question weigh together."""
    return sum(_rarities(words, known).values())


def weights_beside(
    words: Sequence[str], chosen: Sequence[str], known: Frequencies
) -> Mapping[str, float]:
    """What each word weighs more, or less, than the index has counted for it: all of it for a word
    that did not choose, what lifts a common one to the least weight, and half of it away for a
    part of a name.

    Where no word of the question tells facts apart, nothing is lifted.
    """
    rarities = _rarities(words, known)
    least = min(_LEAST_WEIGHT, max(rarities.values(), default=0.0))
    counted = frozenset(chosen)
    parts = parts_of_names(words)
    beside = {
        word: (weight * _PART_WEIGHT if word in parts else max(least, weight))
        - (weight if word in counted else 0.0)
        for word, weight in rarities.items()
    }
    return {word: weight for word, weight in beside.items() if weight}


def _rarities(words: Sequence[str], known: Frequencies) -> dict[str, float]:
    """The weight of each known word, each once."""
    return {w: rarity(known.with_word[w], of=known.facts) for w in words if w in known.with_word}


def parts_of_names(words: Sequence[str]) -> frozenset[str]:
    """The words that stand in a longer one with punctuation in it, as the parts of an address, a
    version or an identifier do.
    """
    names = [word for word in words if word.isascii() and not word.isalnum()]
    return frozenset(w for w in words if any(w in name and w != name for name in names))
