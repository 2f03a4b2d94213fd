"""Entity graph: who and what facts name, and asking by name."""

import json

import pytest

from tests.doors import Door

pytestmark = pytest.mark.process

COMPACT = {"factId", "display", "category", "trustScore", "score"}

FACTS = [
    "Alice prefers PostgreSQL and GitHub",
    "The backup of PostgreSQL runs at night",
    "Our GitHub mirrors the PostgreSQL dumps",
    "We like rust for small tools",
]


def test_a_name_in_another_spelling_finds_the_facts_that_have_it(door: Door) -> None:
    """WHEN `probe` is asked for a name in another case or script than facts write it, THEN it
    answers with those facts, by trust, with `via` "entity" and the trust as the score.
    """
    for content in ("新来的张伟負責後端", "張偉喜欢喝茶", "王敏喜欢咖啡"):
        door.call("add", content=content)
    door.call("helpful", fact_id=2)

    reply = door.call("probe", entity="张伟")

    assert [(hit["factId"], hit["via"]) for hit in reply["results"]] == [
        (2, "entity"),
        (1, "entity"),
    ]
    assert [hit["score"] for hit in reply["results"]] == [0.55, 0.5]


def test_a_name_that_is_no_entity_is_found_as_a_word(door: Door) -> None:
    """WHEN `probe` is asked for a name under which no fact is known, THEN facts that have it as a
    whole word are answered with `via` "text", and a part of a word is none.
    """
    for content in (*FACTS, "We trust nobody"):
        door.call("add", content=content)

    reply = door.call("probe", entity="Rust")

    assert [(hit["factId"], hit["via"]) for hit in reply["results"]] == [(4, "text")]


def test_a_second_name_is_the_same_thing(door: Door) -> None:
    """WHEN a fact gives a thing two names, THEN `probe` finds the facts of both by either."""
    door.call("add", content="我们用持续集成（CI）部署")
    door.call("add", content="The CI runs at night")

    for name in ("CI", "持续集成"):
        found = door.call("probe", entity=name)["results"]
        assert sorted(hit["factId"] for hit in found) == [1, 2]


def test_a_name_that_nobody_knows_has_no_facts(door: Door) -> None:
    """WHEN a name is asked for that no fact has, THEN the answer is empty and no error; WHEN the
    name is blank, THEN the request is refused.
    """
    door.call("add", content=FACTS[0])

    assert door.call("probe", entity="Zoltan") == {"results": [], "count": 0}
    assert door.call("related", entity="Zoltan") == {"results": [], "count": 0}
    assert door.call("reason", entities=["Zoltan"]) == {"results": [], "count": 0}
    assert door.call("probe", entity="%") == {"results": [], "count": 0}
    assert "give" in door.refused("probe", entity="   ")["hint"]


def test_neighbours_are_ordered_by_the_names_they_share(door: Door) -> None:
    """WHEN `related` is asked for a name, THEN it answers with facts that do not have it and share
    other names with those that do, in `via`, by their number times the trust.
    """
    for content in FACTS:
        door.call("add", content=content)

    reply = door.call("related", entity="alice")

    assert [(hit["factId"], hit["via"], hit["score"]) for hit in reply["results"]] == [
        (3, ["GitHub", "PostgreSQL"], 1.0),
        (2, ["PostgreSQL"], 0.5),
    ]


def test_facts_that_name_all_are_the_answer(door: Door) -> None:
    """WHEN `reason` is asked for several names that one fact has, THEN only such facts are
    answered, without a word of what they cover.
    """
    for content in FACTS:
        door.call("add", content=content)

    reply = door.call("reason", entities=["github", "PostgreSQL", "GitHub"])

    assert sorted(hit["factId"] for hit in reply["results"]) == [1, 3]
    assert all(set(hit) == COMPACT for hit in reply["results"])


def test_without_them_those_are_that_name_most(door: Door) -> None:
    """WHEN no fact has all names, THEN the facts that have most are answered, each with `covered`,
    and scored by its share of the names.
    """
    for content in FACTS:
        door.call("add", content=content)

    reply = door.call("reason", entities=["Alice", "GitHub", "rust"])

    assert [(hit["factId"], hit["covered"]) for hit in reply["results"]] == [
        (1, ["Alice", "GitHub"])
    ]
    assert reply["results"][0]["score"] == pytest.approx(0.5 * 2 / 3, abs=1e-4)


def test_an_answer_is_narrowed_as_a_search_is(door: Door) -> None:
    """WHEN a category, a least trust or a limit is given, THEN only such facts are answered."""
    door.call("add", content="Alice prefers tea", category="identity")
    door.call("add", content="We met Alice at GitHub", category="workflow")
    door.call("helpful", fact_id=2)

    def found(**narrowing: object) -> list[int]:
        return [hit["factId"] for hit in door.call("probe", entity="Alice", **narrowing)["results"]]

    assert found() == [2, 1]
    assert found(category="identity") == [1]
    assert found(min_trust=0.52) == [2]
    assert found(limit=1) == [2]


def test_asking_by_name_counts_as_a_recall(door: Door) -> None:
    """WHEN `probe`, `related` or `reason` answers, THEN the log has a row that begins with the
    verb, with the ids and scores as they were answered, and each fact has one recall more.
    """
    for content in FACTS[:2]:
        door.call("add", content=content)

    door.call("probe", entity="Alice")
    door.call("related", entity="Alice")
    door.call("reason", entities=["Alice", "GitHub"])

    rows = door.sql("SELECT query, results FROM retrieval_log ORDER BY id")
    assert [(query, json.loads(results)) for query, results in rows] == [
        ("probe:Alice", [{"id": 1, "score": 0.5}]),
        ("related:Alice", [{"id": 2, "score": 0.5}]),
        ("reason:Alice, GitHub", [{"id": 1, "score": 0.5}]),
    ]
    assert door.sql("SELECT retrieval_count FROM facts ORDER BY fact_id") == [(2,), (1,)]


def test_names_follow_the_text_of_a_fact(door: Door) -> None:
    """WHEN the text of a fact changes, or it is removed and restored, THEN it is found by the names
    that it has now, and `get` tells them.
    """
    door.call("add", content="We met Alice in Paris")
    assert door.call("get", fact_ids=[1])["facts"][0]["entities"] == ["Alice", "Paris"]

    door.call("update", fact_id=1, content="We met Bob in Paris")
    assert door.call("probe", entity="Alice")["count"] == 0
    assert door.call("probe", entity="Bob")["count"] == 1

    door.call("remove", fact_ids=[1])
    assert door.call("probe", entity="Bob")["count"] == 0
    door.call("restore", fact_ids=[1])
    assert door.call("probe", entity="Bob")["count"] == 1
