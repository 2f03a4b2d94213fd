"""Which facts a name leads to, in a real store that is kept in step as a search keeps it."""

from collections.abc import Callable

import pytest

from mnemo.enums import Category, Status
from mnemo.errors import InvalidInput
from mnemo.retriever.graph import Naming
from mnemo.retriever.naming import MAX_NAMES, facts_beside, facts_naming, facts_naming_all
from mnemo.store import Filter, Store

Remember = Callable[..., list[int]]

EVERY = Filter()


def told(found: list[Naming]) -> list[tuple[int, object]]:
    return [(naming.fact_id, naming.via) for naming in found]


def test_a_name_leads_to_the_facts_that_have_it_the_most_trusted_first(
    store: Store, remember: Remember
) -> None:
    remember(
        {"content": "Alice prefers tea", "trust_score": 0.4},
        {"content": "We met ALICE in Paris", "trust_score": 0.8},
        "Bob prefers coffee",
    )
    assert told(facts_naming(store, " alice ", EVERY)) == [(2, "entity"), (1, "entity")]


def test_a_name_that_is_no_entity_is_looked_for_as_whole_words(
    store: Store, remember: Remember
) -> None:
    remember("we like rust for tools", "we trust nobody", "a rusty nail")
    assert told(facts_naming(store, "Rust", EVERY)) == [(1, "text")]


def test_what_is_unknown_has_no_facts_and_is_no_error(store: Store, remember: Remember) -> None:
    remember("Alice prefers tea")
    assert facts_naming(store, "Zoltan", EVERY) == []
    assert facts_beside(store, "Zoltan", EVERY, limit=10) == []
    assert facts_naming_all(store, ["Zoltan", "Xenia"], EVERY) == []
    assert facts_naming(store, "%", EVERY) == facts_naming(store, "!?", EVERY) == []


def test_words_of_a_merged_fact_lead_to_its_survivor(store: Store, remember: Remember) -> None:
    remember(
        "the build tool is fast",
        {
            "content": "the build tool of Alice, written in zig, is fast",
            "status": "merged",
            "merged_into": 1,
        },
    )
    assert told(facts_naming(store, "Alice", EVERY)) == [(1, "entity")]
    assert told(facts_naming(store, "zig", EVERY)) == [(1, "text")]


def test_only_facts_of_the_wanted_kind_are_found(store: Store, remember: Remember) -> None:
    remember(
        {"content": "Alice prefers tea", "category": "identity"},
        {"content": "Alice likes jazz", "status": "archived"},
    )
    assert told(facts_naming(store, "Alice", Filter(category=Category.WORKFLOW))) == []
    archived = Filter(statuses=(Status.ARCHIVED,))
    assert told(facts_naming(store, "Alice", archived)) == [(2, "entity")]


def test_neighbours_share_other_names_and_do_not_have_this_one(
    store: Store, remember: Remember
) -> None:
    remember(
        "Alice prefers PostgreSQL and GitHub",
        "The backup of PostgreSQL runs at night",
        "Our GitHub mirrors the PostgreSQL dumps",
        "Coffee is in the kitchen",
    )
    assert told(facts_beside(store, "alice", EVERY, limit=10)) == [
        (3, ("GitHub", "PostgreSQL")),
        (2, ("PostgreSQL",)),
    ]


def test_a_name_that_is_only_a_word_has_neighbours_too(store: Store, remember: Remember) -> None:
    remember("we like rust at GitHub", "GitHub is down on Mondays")
    assert told(facts_beside(store, "rust", EVERY, limit=10)) == [(2, ("GitHub",))]


def test_an_archived_fact_that_has_the_name_is_no_neighbour(
    store: Store, remember: Remember
) -> None:
    remember(
        "Alice prefers GitHub",
        {"content": "We met Alice at GitHub", "status": "archived"},
        "GitHub is down on Mondays",
    )
    wanted = Filter(statuses=(Status.ACTIVE, Status.ARCHIVED))
    assert told(facts_beside(store, "Alice", wanted, limit=10)) == [(3, ("GitHub",))]


def test_several_names_are_had_by_entity_or_by_word(store: Store, remember: Remember) -> None:
    remember("Alice prefers rust", "Alice prefers tea", "rust is fast")
    found = facts_naming_all(store, ["alice", "Rust", "ALICE"], EVERY)
    assert [(naming.fact_id, naming.covered) for naming in found] == [(1, ())]


def test_the_names_of_one_thing_are_one_where_a_fact_says_so(
    store: Store, remember: Remember
) -> None:
    remember("我们用持续集成（CI）部署", "The CI runs at night")
    assert told(facts_naming(store, "持续集成", EVERY)) == [(1, "entity"), (2, "entity")]


@pytest.mark.parametrize("names", [[], [" "], ["Alice", ""], [f"N{n}" for n in range(11)]])
def test_no_name_a_blank_one_and_too_many_are_refused(store: Store, names: list[str]) -> None:
    assert len(names) <= 2 or len(names) > MAX_NAMES
    with pytest.raises(InvalidInput):
        facts_naming_all(store, names, EVERY)


def test_a_whole_text_is_no_name(store: Store) -> None:
    with pytest.raises(InvalidInput, match="too long"):
        facts_naming(store, "word " * 100, EVERY)
