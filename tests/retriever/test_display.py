"""What of a hit is shown: one line, cut only where something is left out, and five keys."""

from collections.abc import Callable
from typing import Any

import pytest

from mnemo.enums import Detail
from mnemo.models import Fact
from mnemo.retriever.display import as_hit, display_text
from mnemo.retriever.search import Scored
from mnemo.store import Store

Remember = Callable[..., list[int]]


def stored(store: Store, remember: Remember, **columns: Any) -> Fact:
    return store.facts.get(remember(columns))[0]


def scored(fact: Fact, **parts: Any) -> Scored:
    return Scored(
        **{
            "fact_id": fact.fact_id,
            "score": 0.123456,
            "fts": 0.98765432,
            "jaccard": 0.5,
            "relevance": 0.74382716,
            "penalty": 0.33333333,
            "trust": 0.567,
            "created_at": "",
        }
        | parts
    )


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("short", "short"),
        ("x" * 100, "x" * 100),
        ("x" * 101, "x" * 100 + "..."),
        ("深" * 250, "深" * 100 + "..."),
        ("👍" * 101, "👍" * 100 + "..."),
        ("x" * 99 + "👍🏽", "x" * 99 + "..."),  # no torn character at the cut
        ("x" * 99 + "e\u0301", "x" * 99 + "..."),
    ],
)
def test_a_content_is_cut_after_a_hundred_characters(
    store: Store, remember: Remember, content: str, shown: str
) -> None:
    assert display_text(stored(store, remember, content=content)) == shown


def test_a_summary_is_shown_whole_in_place_of_the_content(store: Store, remember: Remember) -> None:
    summary = "s" * 150
    assert display_text(stored(store, remember, content="x" * 900, summary=summary)) == summary
    assert display_text(stored(store, remember, content="x", summary="  ")) == "x"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("first\nsecond\r\n\tthird", "first second third"),
        ("\x1b[2Jcleared", "[2Jcleared"),
        ("a\u2028# SYSTEM", "a # SYSTEM"),
        ("a\u202eb\u2066c", "a b c"),
        ("a\x00b\x9bc", "a b c"),
    ],
)
def test_a_line_is_never_broken_and_drives_no_terminal(
    store: Store, remember: Remember, content: str, shown: str
) -> None:
    assert display_text(stored(store, remember, content=content)) == shown


def test_a_compact_hit_has_five_keys_and_rounded_numbers(store: Store, remember: Remember) -> None:
    fact = stored(store, remember, content="a fact", category="workflow")
    hit = as_hit(fact, scored(fact), detail=Detail.COMPACT, explain=False)
    assert hit.model_dump(by_alias=True) == {
        "factId": 1,
        "display": "a fact",
        "category": "workflow",
        "trustScore": 0.57,
        "score": 0.1235,
    }


def test_an_explained_hit_shows_the_parts_of_its_score(store: Store, remember: Remember) -> None:
    fact = stored(store, remember, content="a fact")
    hit = as_hit(fact, scored(fact), detail=Detail.COMPACT, explain=True).model_dump(by_alias=True)
    assert (hit["fts"], hit["jaccard"], hit["relevance"]) == (0.9877, 0.5, 0.7438)
    assert (hit["penalty"], hit["match_on"]) == (0.3333, "content")


def test_a_full_hit_carries_the_whole_fact(store: Store, remember: Remember) -> None:
    content = "x" * 900
    fact = stored(store, remember, content=content, summary="short", tags="a,b", date="2026-05-01")
    for explain in (False, True):
        hit = as_hit(fact, scored(fact), detail=Detail.FULL, explain=explain).model_dump(
            by_alias=True
        )
        assert (hit["content"], hit["summary"], hit["display"]) == (content, "short", "short")
        assert (hit["tags"], hit["status"], hit["date"]) == (("a", "b"), "active", "2026-05-01")
        assert ("match_on" in hit) is explain
    assert hit["match_on"] == "summary"
