"""A comparison for a person: the words that both say, those of one alone, and what it leads to."""

import re
from collections.abc import Sequence
from typing import Any

from click import echo

from mnemo.dream.judge import MERGE_THRESHOLD
from mnemo.text.shown import one_line
from mnemo.text.tokens import tokenize_for_dedup

Answer = dict[str, Any]


def show_comparison(answer: Answer, texts: Sequence[str]) -> None:
    """A few lines about the two texts: their words first, the verdict last."""
    left, right = (_in_own_words(*pair) for pair in zip(answer["tokens"], texts, strict=True))
    _show_words("both say", [word for token, word in left.items() if token in right])
    _show_words("only the first", [word for token, word in left.items() if token not in right])
    _show_words("only the second", [word for token, word in right.items() if token not in left])
    echo(f"overlap          {answer['jaccard']:.3f} (a merge needs more than {MERGE_THRESHOLD})")
    for contrast in answer["contrasts"]:
        sides = f"{contrast['left'] or '–'} / {contrast['right'] or '–'}"
        echo(f"contrast         {one_line(sides)} ({contrast['kind']})")
    would = "merge the two" if answer["verdict"] == "merge" else "keep both"
    echo(f"a dream would    {would}: {one_line(answer['why'])}")


def _in_own_words(tokens: Sequence[str], text: str) -> dict[str, str]:
    """Token → the word of the text that it stands for, or the token where that is not one word."""
    own: dict[str, str] = {}
    for word in (*text.split(), *re.findall(r"\w+", text)):
        if len(alone := set(tokenize_for_dedup(word))) == 1:
            own.setdefault(alone.pop(), word.strip(".,;:!?()\"'，。；：！？（）") or word)
    return {token: own.get(token, token) for token in tokens}


def _show_words(label: str, words: list[str]) -> None:
    if words:
        echo(f"{label:16} {one_line(' '.join(words))}")
