"""The forms of English words: which forms are one word, and what time a verb speaks of.

A stemmer brings "important" and "import" to one stem, and "lived" and "lives"; a fact about one is
no fact about the other. Knows endings and a closed list of irregular verbs; refuses to know whether
a word is a verb. What must hold: a word is akin to itself; being akin has no direction.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Final


class Form(IntEnum):
    """How a word speaks of time; a word that is no verb, or of another language, is PLAIN."""

    PLAIN = 0
    PAST = 1
    DURING = 2
    """-ing that no "is" or "was" stands before."""
    PASSIVE = 3
    PERFECT = 4


# A participle or past tense that no stemmer brings to its verb.
_IRREGULAR: Final = {
    past: verb
    for verb, forms in {
        "become": "became",
        "begin": "began begun",
        "bend": "bent",
        "bind": "bound",
        "bite": "bit bitten",
        "blow": "blew blown",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "choose": "chose chosen",
        "come": "came",
        "deal": "dealt",
        "dig": "dug",
        "draw": "drew drawn",
        "drink": "drank drunk",
        "drive": "drove driven",
        "eat": "ate eaten",
        "fall": "fell fallen",
        "feed": "fed",
        "feel": "felt",
        "fight": "fought",
        "find": "found",
        "fly": "flew flown flies",
        "forget": "forgot forgotten",
        "freeze": "froze frozen",
        "give": "gave given",
        "go": "went gone goes",
        "grow": "grew grown",
        "hang": "hung",
        "hear": "heard",
        "hide": "hid hidden",
        "hold": "held",
        "keep": "kept",
        "know": "knew known",
        "lead": "led",
        "leave": "left",
        "lend": "lent",
        "lie": "lay lain lying",
        "lose": "lost",
        "make": "made",
        "mean": "meant",
        "meet": "met",
        "pay": "paid",
        "ride": "rode ridden",
        "ring": "rang rung",
        "rise": "rose risen",
        "run": "ran running",
        "say": "said",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "shake": "shook shaken",
        "shine": "shone",
        "shoot": "shot",
        "sing": "sang sung",
        "sink": "sank sunk",
        "sit": "sat",
        "sleep": "slept",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "steal": "stole stolen",
        "stick": "stuck",
        "strike": "struck",
        "swear": "swore sworn",
        "sweep": "swept",
        "swim": "swam swum",
        "take": "took taken",
        "teach": "taught",
        "tear": "tore torn",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "tie": "tying",
        "understand": "understood",
        "wake": "woke woken",
        "wear": "wore worn",
        "win": "won",
        "write": "wrote written",
    }.items()
    for past in forms.split()
}
_UNCHANGED: Final = frozenset(
    str.split("cut put hit set read shut spread cast hurt split shed spun")
)
_VOWELS: Final = frozenset("aeiou")


def base_form(word: str) -> str:
    """The verb of an irregular form in lower case, else the word itself."""
    return _IRREGULAR.get(word, word)


def is_participle(word: str) -> bool:
    """True for a word that can be a past participle: painted, written, cut."""
    return word in _UNCHANGED or is_past(word)


def is_past(word: str) -> bool:
    """True for a word that can be a past tense and no present one: painted, wrote."""
    if word in _IRREGULAR:
        return not word.endswith(("ing", "s"))
    return len(word) > 3 and word.endswith("ed") and not word.endswith("eed")


def is_during(word: str) -> bool:
    """True for a word that can be a present participle: painting."""
    return len(word) > 4 and word.endswith("ing")


def same_time(one: Form, other: Form) -> bool:
    """False where one verb speaks of another time than the other: lived, lives.

    "Is painted" may be the passive of "paints" and the longer form of "painted".
    """
    if one == other:
        return True
    if Form.PASSIVE in (one, other):
        return Form.PERFECT not in (one, other)
    return {one, other} == {Form.PLAIN, Form.DURING}


@lru_cache(maxsize=1 << 15)
def akin(one: str, other: str) -> bool:
    """True where two words in lower case can be forms of one: cities, city; hoped, hoping.

    Words of one stem that no inflection joins are not: organ, organization; past, paste.
    """
    return one == other or not _bases(one).isdisjoint(_bases(other))


@lru_cache(maxsize=1 << 14)
def _bases(word: str) -> frozenset[str]:
    """The dictionary forms that a word can be an inflected form of, itself among them."""
    found = {word, base_form(word)}
    if word.endswith(("ies", "ied")):
        found.add(f"{word[:-3]}y")
    elif word.endswith("s") and not word.endswith("ss"):
        found.add(word[:-1])
        if word[:-2].endswith(("s", "x", "z", "ch", "sh", "o")) and word.endswith("es"):
            found.add(word[:-2])
        if word.endswith("ves"):
            found |= {f"{word[:-3]}f", f"{word[:-3]}fe"}
    elif word.endswith("ed") and len(word) > 3:
        found |= _stripped(word[:-2])
    elif is_during(word):
        found |= _stripped(word[:-3])
    return frozenset(found)


def _stripped(stem: str) -> set[str]:
    """What was there before -ed or -ing: hop of hopp, hope of hop, walk and walke of walk."""
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        return {stem, stem[:-1]}
    short = (
        len(stem) > 2
        and stem[-1] not in _VOWELS | set("wxy")
        and stem[-2] in _VOWELS
        and not any(char in _VOWELS for char in stem[:-2])
    )
    found = {f"{stem}e"} if short else {stem, f"{stem}e"}
    return found | ({f"{stem[:-1]}ie"} if stem.endswith("y") else set())
