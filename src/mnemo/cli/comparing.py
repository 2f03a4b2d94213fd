"""A comparison for a person: the words that both say, those of one alone, and what it leads to."""

from typing import Any

from click import echo

from mnemo.dream.judge import MERGE_THRESHOLD
from mnemo.retriever.display import one_line

Answer = dict[str, Any]


def show_comparison(answer: Answer) -> None:
    """A few lines: the overlap first, the verdict last."""
    left, right = (list(dict.fromkeys(words)) for words in answer["tokens"])
    _show_words("both say", [word for word in left if word in right])
    _show_words("only the first", [word for word in left if word not in right])
    _show_words("only the second", [word for word in right if word not in left])
    echo(f"overlap          {answer['jaccard']:.3f} (a merge needs more than {MERGE_THRESHOLD})")
    for contrast in answer["contrasts"]:
        sides = f"{contrast['left'] or '–'} / {contrast['right'] or '–'}"
        echo(f"contrast         {one_line(sides)} ({contrast['kind']})")
    would = "merge the two" if answer["verdict"] == "merge" else "keep both"
    echo(f"a dream would    {would}: {one_line(answer['why'])}")


def _show_words(label: str, words: list[str]) -> None:
    if words:
        echo(f"{label:16} {one_line(' '.join(words))}")
