"""Facts as they are read: whole, in order, and with care where another program wrote them."""

from collections.abc import Callable

import pytest

from mnemo.enums import Op, Status
from mnemo.store import Filter, Operation, Store
from tests.store.scratch import Sql

Add = Callable[..., int]


def test_facts_come_back_in_the_order_asked_each_once(store: Store, add: Add) -> None:
    for number in range(3):
        add(f"fact {number}")
    assert [fact.fact_id for fact in store.facts.get([3, 404, 1, 3])] == [3, 1]
    assert store.facts.get([]) == []


@pytest.mark.parametrize("fact_id", [0, -1, 2**63, -(2**63) - 1, 10**30])
def test_an_id_that_no_fact_can_have_is_merely_unknown(
    store: Store, add: Add, fact_id: int
) -> None:
    add("a fact")
    assert [fact.fact_id for fact in store.facts.get([fact_id, 1])] == [1]


def test_a_thousand_facts_can_be_asked_for_at_once(
    store: Store, operation: Callable[..., Operation]
) -> None:
    op = operation(Op.ADD)
    with op.batch():
        ids = [op.insert(content=f"fact {number}") for number in range(1001)]
    assert [fact.fact_id for fact in store.facts.get(ids)] == ids


def test_a_page_holds_pinned_facts_first_then_the_trusted_and_the_new(
    store: Store, add: Add
) -> None:
    add("low", trust_score=0.3)
    add("old", trust_score=0.5, created_at="2026-01-01 00:00:00")
    add("new", trust_score=0.5, created_at="2026-02-01 00:00:00")
    add("twin of new", trust_score=0.5, created_at="2026-02-01 00:00:00")
    add("pinned", trust_score=0.1, pinned=1)
    pages = [store.facts.page(Filter(), limit=2, offset=offset) for offset in (0, 2, 4, 6, 10**30)]
    assert [[fact.fact_id for fact in page] for page in pages] == [[5, 3], [4, 2], [1], [], []]


def test_a_page_and_its_count_agree_on_what_is_wanted(store: Store, add: Add) -> None:
    add("a", category="workflow", trust_score=0.9)
    add("b", category="workflow", trust_score=0.2)
    add("c", category="general", trust_score=0.9)
    add("d", category="workflow", trust_score=0.9, status=Status.ARCHIVED)
    for wanted, ids in [
        (Filter(), [1, 3, 2]),
        (Filter(category="workflow"), [1, 2]),
        (Filter(category="workflow", min_trust=0.5), [1]),
        (Filter(statuses=(Status.ACTIVE, Status.ARCHIVED), min_trust=0.9), [1, 3, 4]),
        (Filter(statuses=(Status.REMOVED,)), []),
    ]:
        assert [fact.fact_id for fact in store.facts.page(wanted, limit=9, offset=0)] == ids
        assert store.facts.count(wanted) == len(ids)


def test_what_another_program_left_empty_is_read_as_in_a_new_fact(store: Store, sql: Sql) -> None:
    sql(
        "INSERT INTO facts(content, category, tags, trust_score, retrieval_count, helpful_count, "
        "created_at, updated_at) VALUES ('by hand', NULL, NULL, NULL, NULL, NULL, NULL, '')"
    )
    [fact] = store.facts.get([1])
    assert (fact.category, fact.tags, fact.trust_score) == ("general", (), 0.5)
    assert (fact.retrieval_count, fact.helpful_count) == (0, 0)
    assert fact.created_at is None


def test_a_filter_reads_what_was_left_empty_as_the_fact_is_read(store: Store, sql: Sql) -> None:
    sql("INSERT INTO facts(content, category, trust_score) VALUES ('by hand', NULL, NULL)")
    assert store.facts.count(Filter(category="general", min_trust=0.5)) == 1
    assert store.facts.count(Filter(category="workflow")) == 0
    assert store.facts.counts_by("category", active_only=True) == {"general": 1}


def test_a_blank_summary_is_no_summary(store: Store, add: Add) -> None:
    add("content", summary="  ")
    [fact] = store.facts.get([1])
    assert fact.summary is None


def test_tags_are_read_apart_trimmed_and_each_once(store: Store, add: Add) -> None:
    add("a fact", tags=" b ,a,,b, 中文 ,")
    assert store.facts.get([1])[0].tags == ("b", "a", "中文")


def test_facts_are_counted_by_a_column(store: Store, add: Add) -> None:
    add("a", category="workflow")
    add("b", category="workflow")
    add("c", status=Status.REMOVED)
    assert store.facts.counts_by("category", active_only=True) == {"workflow": 2}
    assert store.facts.counts_by("status", active_only=False) == {"active": 2, "removed": 1}
