"""When a change can be taken back, and what that sets."""

from typing import Any

import pytest

from mnemo.past.rules import columns_back, is_as_left

BEFORE: dict[str, Any] = {
    "content": "old",
    "status": "active",
    "trust_score": 0.5,
    "retrieval_count": 10,
    "last_retrieved_at": "2026-05-01 00:00:00",
    "colour": "red",
}


def after_change(**changed: Any) -> dict[str, Any]:
    return BEFORE | {"content": "new"} | changed


def test_a_fact_that_nobody_touched_is_as_it_was_left() -> None:
    assert is_as_left(BEFORE, {"content": "new"}, after_change())


@pytest.mark.parametrize("column", ["content", "status", "trust_score", "colour"])
def test_any_other_column_that_changed_since_counts(column: str) -> None:
    assert not is_as_left(BEFORE, {"content": "new"}, after_change(**{column: "other"}))


@pytest.mark.parametrize("column", ["retrieval_count", "last_retrieved_at"])
def test_recalls_do_not_count(column: str) -> None:
    assert is_as_left(BEFORE, {"content": "new"}, after_change(**{column: 99}))


def test_a_column_that_came_into_being_since_says_nothing() -> None:
    assert is_as_left(BEFORE, {"content": "new"}, after_change(mood="good"))


def test_a_figure_that_lost_its_last_digits_in_the_journal_is_the_same() -> None:
    now = after_change(trust_score=0.405 + 5e-17 * 2)
    assert is_as_left(BEFORE, {"content": "new", "trust_score": 0.405}, now)
    assert not is_as_left(BEFORE, {"content": "new", "trust_score": 0.4051}, now)


def test_only_what_the_change_had_set_goes_back() -> None:
    assert columns_back(BEFORE, {"content": "new"}, after_change()) == {"content": "old"}


def test_what_is_as_it_was_needs_nothing() -> None:
    assert columns_back(BEFORE, {"colour": "red"}, after_change()) == {}


@pytest.mark.parametrize(("now", "back"), [(25, 20), (15, None), (17, 12), (3, 0)])
def test_a_counter_goes_back_by_what_the_change_had_added(now: int, back: int | None) -> None:
    after = {"retrieval_count": 15}
    back = 10 if back is None else back
    assert columns_back(BEFORE, after, after_change(retrieval_count=now)) == (
        {} if back == now else {"retrieval_count": back}
    )


def test_the_last_recall_goes_back_only_where_nothing_recalled_the_fact_since() -> None:
    after = {"last_retrieved_at": "2026-05-02 00:00:00"}
    untouched = after_change(last_retrieved_at="2026-05-02 00:00:00")
    recalled = after_change(last_retrieved_at="2026-05-03 00:00:00")
    assert columns_back(BEFORE, after, untouched) == {"last_retrieved_at": "2026-05-01 00:00:00"}
    assert columns_back(BEFORE, after, recalled) == {}


def test_a_fact_that_was_made_goes_out_of_sight() -> None:
    assert columns_back(None, BEFORE, BEFORE) == {"status": "removed"}


def test_a_fact_that_was_made_is_not_as_left_where_an_early_journal_kept_few_columns() -> None:
    assert is_as_left(None, {"content": "new"}, after_change())
    assert not is_as_left(None, {"content": "new"}, after_change(status="removed"))
