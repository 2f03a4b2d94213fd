"""Every fact is found by its own words: over real texts where they are at hand, else our own."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from mnemo.retriever.search import read_question, search_facts
from mnemo.store import Filter, Store
from mnemo.text.query import match_expression
from tests.store.scratch import NOW, fill

OWN = Path(__file__).parent.parent / "data" / "facts.jsonl"
OF_EACH = 550  # texts
FIRST = 20  # of the 500 candidates that a search scores
SAMPLE = 75  # of each corpus


def lines(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8") as opened:
        yield from opened


def corpora() -> list[Path]:
    folder = os.environ.get("MNEMO_DATA")
    return [OWN, *sorted(Path(folder).glob("*/corpus.jsonl"))] if folder else [OWN]


def texts(corpus: Path) -> list[str]:
    """The first texts of a corpus, each once."""
    name = "content" if corpus == OWN else "text"
    found = (json.loads(line)[name].strip() for line in islice(lines(corpus), OF_EACH))
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module", params=corpora(), ids=lambda corpus: corpus.parent.name)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, dict[int, str]]]:
    """A store with the texts of one corpus, and which fact holds which."""
    path = tmp_path_factory.mktemp("filled") / "facts.db"
    with closing(Store(path, now=NOW)) as store:
        contents = texts(request.param)
        yield store, dict(zip(fill(store, contents), contents, strict=True))


def test_every_fact_is_a_candidate_for_its_own_text(
    filled: tuple[Store, dict[int, str]],
) -> None:
    store, contents = filled
    missed: list[str] = []
    for fact_id, content in contents.items():
        expression = match_expression(read_question(content, NOW.date()).recalling)
        candidates = store.index.candidates(expression, Filter(), limit=FIRST)
        if fact_id not in {candidate.fact_id for candidate in candidates}:
            missed.append(content)
    assert missed == []


def test_a_fact_of_up_to_three_hundred_characters_is_among_the_first_ten_for_its_own_text(
    filled: tuple[Store, dict[int, str]],
) -> None:
    store, contents = filled
    short = [(fact_id, content) for fact_id, content in contents.items() if len(content) <= 300]
    missed: list[str] = []
    for fact_id, content in short[:: max(1, len(short) // SAMPLE)]:
        hits = search_facts(store, content, Filter(), limit=10, today=NOW.date())
        if fact_id not in {hit.fact_id for hit in hits}:
            missed.append(content)
    assert missed == []
