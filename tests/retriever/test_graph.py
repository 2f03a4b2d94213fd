"""The rules by which facts that name something are put in order."""

from collections.abc import Callable
from itertools import permutations

import pytest

from mnemo.retriever.graph import Naming, in_order, most_covering

ASKED = {"alice": "Alice", "bob": "BOB", "paris": "Paris"}


def naming(fact_id: int, trust: float = 0.5, created_at: str = "2026-05-01 00:00:00") -> Naming:
    return Naming(fact_id, trust, created_at)


@pytest.fixture
def covering() -> Callable[..., list[Naming]]:
    def ask(*named: tuple[float, str]) -> list[Naming]:
        """Facts 1, 2, … of these trusts, each naming the keys in its text."""
        found = [naming(number, trust) for number, (trust, _) in enumerate(named, start=1)]
        keys = {n: frozenset(words.split()) for n, (_, words) in enumerate(named, start=1)}
        return most_covering(found, keys, ASKED)

    return ask


def test_facts_are_in_one_order_however_they_come() -> None:
    facts = [
        naming(1, 0.9),
        naming(2, 0.5, "2026-05-03 00:00:00"),
        naming(3, 0.5, "2026-05-02 00:00:00"),
        naming(4, 0.5, "2026-05-02 00:00:00"),
        naming(5, 0.1),
    ]
    for shuffled in permutations(facts):
        assert [fact.fact_id for fact in in_order(shuffled)] == [1, 2, 3, 4, 5]


def test_more_bridges_outweigh_trust_in_proportion() -> None:
    one, two = Naming(1, 0.9, "", weight=1.0), Naming(2, 0.5, "", weight=2.0)
    assert in_order([one, two]) == [two, one]
    assert (two.score, one.score) == (1.0, 0.9)


def test_facts_that_name_everything_stand_alone_and_say_nothing_of_it(
    covering: Callable[..., list[Naming]],
) -> None:
    found = covering((0.9, "alice bob"), (0.4, "alice bob paris"), (0.6, "paris bob alice"))
    assert [(n.fact_id, n.score, n.covered) for n in found] == [(3, 0.6, ()), (2, 0.4, ())]


def test_without_such_facts_those_come_that_name_most(
    covering: Callable[..., list[Naming]],
) -> None:
    found = covering((0.9, "alice"), (0.3, "paris bob"), (0.6, "alice bob"))
    assert [(n.fact_id, n.covered) for n in found] == [(3, ("Alice", "BOB")), (2, ("BOB", "Paris"))]
    assert found[0].score == pytest.approx(0.6 * 2 / 3)


def test_nothing_covers_nothing() -> None:
    assert most_covering([], {}, ASKED) == []
