"""A change sets what is given, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from mnemo.errors import InvalidInput, MnemoError, NotFound, Refused
from mnemo.memory import Memory
from mnemo.models import AddReply, Fact
from mnemo.writing.checks import LENGTH_WARNING
from mnemo.writing.update import Edit
from tests.store.scratch import Clock, Sql, table

Add = Callable[..., AddReply]
Get = Callable[[int], Fact]


@pytest.fixture(autouse=True)
def fact(add: Add) -> int:
    return add(
        "a fact", category="tool_pref", tags="a,b", summary="short", date="2026-05-01"
    ).fact_id


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        (Edit(content="another"), {"content": "another"}),
        (Edit(summary=" new "), {"summary": "new"}),
        (Edit(tags="c, d,c"), {"tags": ("c", "d")}),
        (Edit(tags=["c", "d"]), {"tags": ("c", "d")}),
        (Edit(category="Workflow"), {"category": "workflow"}),
        (Edit(date="2026-05-02"), {"date": "2026-05-02"}),
        (Edit(memory_class="preference"), {"memory_class": "user_preference"}),
        (Edit(project_id="shop"), {"project_id": "shop"}),
        (Edit(trust_delta=0.2), {"trust_score": 0.7}),
        (Edit(trust_delta=-9), {"trust_score": 0.0}),
        (Edit(trust_delta=9), {"trust_score": 1.0}),
        (Edit(clear=["summary", "tags", "date"]), {"summary": None, "tags": (), "date": None}),
        (Edit(content="another", clear=["summary"]), {"content": "another", "summary": None}),
    ],
)
def test_only_what_is_given_changes(
    memory: Memory, get: Get, clock: Clock, edit: Edit, changed: dict[str, Any]
) -> None:
    before = get(1).model_dump()
    clock.pass_by(days=1)
    reply = memory.update(1, edit)
    assert (reply.updated, reply.fact_id) == (True, 1)
    after = get(1).model_dump()
    expected = before | changed | {"updated_at": after["updated_at"]}
    if changed.get("summary", "kept") is None:
        expected["summary_source"] = None
    assert after == expected
    assert after["updated_at"] == "2026-05-15T12:00:00Z"


def test_a_changed_category_is_remembered_as_chosen(memory: Memory, sql: Sql) -> None:
    memory.update(1, Edit(category="workflow"))
    assert sql("SELECT category_locked FROM facts") == [(1,)]


def test_pins_trust_and_counters_survive_a_new_text(memory: Memory, sql: Sql) -> None:
    sql("UPDATE facts SET pinned = 1, trust_score = 0.9, retrieval_count = 7, helpful_count = 3")
    memory.update(1, Edit(content="another"))
    assert sql("SELECT pinned, trust_score, retrieval_count, helpful_count FROM facts") == [
        (1, 0.9, 7, 3)
    ]


def test_an_event_says_from_what_to_what(memory: Memory, sql: Sql) -> None:
    memory.update(1, Edit(content="x" * 200))
    [(detail,)] = sql("SELECT detail FROM audit_log WHERE action = 'UPDATE'")
    assert detail == '{"content":{"from":"a fact","to":"' + "x" * 80 + '"}}'


@pytest.mark.parametrize(
    "edit",
    [
        Edit(content="a fact"),
        Edit(content=" a fact ", tags="a,b"),
        Edit(trust_delta=0.0),
        Edit(category="tool_pref", summary="short"),
    ],
)
def test_what_is_so_already_is_no_change(memory: Memory, sql: Sql, edit: Edit) -> None:
    before = table(sql, "facts")
    reply = memory.update(1, edit)
    assert (reply.updated, reply.note) == (False, "unchanged")
    assert table(sql, "facts") == before
    assert sql("SELECT count(*) FROM operations") == [(1,)]


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        (Edit(), InvalidInput),
        (Edit(content=" "), InvalidInput),
        (Edit(content="x" * 20_001), InvalidInput),
        (Edit(category="generall"), InvalidInput),
        (Edit(date="soon"), InvalidInput),
        (Edit(clear=["content"]), InvalidInput),
        (Edit(tags=[str(n) for n in range(21)]), InvalidInput),
        (Edit(trust_delta=float("nan")), InvalidInput),
        (Edit(trust_delta=float("inf")), InvalidInput),
        (Edit(content="fine", category="wrong"), InvalidInput),
    ],
)
def test_what_cannot_be_is_refused_whole(
    memory: Memory, sql: Sql, edit: Edit, kind: type[MnemoError]
) -> None:
    before = table(sql, "facts")
    with pytest.raises(kind):
        memory.update(1, edit)
    assert table(sql, "facts") == before


def test_an_unknown_fact_is_named_as_such(memory: Memory) -> None:
    with pytest.raises(NotFound, match="404"):
        memory.update(404, Edit(content="x"))


def test_a_text_that_another_fact_has_is_refused_and_the_other_is_named(
    memory: Memory, add: Add, sql: Sql
) -> None:
    add("another", category="tool_pref")
    before = table(sql, "facts")
    with pytest.raises(Refused, match="fact 2"):
        memory.update(1, Edit(content="Another.", tags="x"))
    assert table(sql, "facts") == before
    memory.update(1, Edit(content="one more"))


def test_a_category_where_the_same_text_is_already_is_refused(memory: Memory, add: Add) -> None:
    add("a fact", category="workflow")
    with pytest.raises(Refused, match="fact 2"):
        memory.update(1, Edit(category="workflow"))


def test_twins_that_are_there_can_be_changed_in_what_is_not_their_text(
    memory: Memory, add: Add, sql: Sql
) -> None:
    """Facts of an older database, or restored ones, may be twins; they stay editable."""
    sql("INSERT INTO facts(content, category) VALUES ('A fact.', 'tool_pref')")
    assert memory.update(2, Edit(tags="x")).updated
    assert memory.update(1, Edit(trust_delta=0.1)).updated
    assert memory.update(1, Edit(clear=["summary"])).updated
    assert memory.update(2, Edit(content="something else")).updated


def test_a_retired_twin_is_in_nobodys_way(memory: Memory, add: Add) -> None:
    add("another", category="tool_pref")
    memory.remove(2)
    assert memory.update(1, Edit(content="another")).updated


def test_a_summary_that_was_written_stays_and_is_said_to_be_old(memory: Memory, get: Get) -> None:
    [warning] = memory.update(1, Edit(content="quite another text")).warnings
    assert "summary may be stale" in warning
    assert get(1).summary == "short"


def test_a_summary_that_was_made_goes_with_its_text(memory: Memory, get: Get, sql: Sql) -> None:
    sql("UPDATE facts SET summary_source = 'auto'")
    assert memory.update(1, Edit(content="quite another text")).warnings == ()
    assert (get(1).summary, get(1).summary_source) == (None, None)


def test_a_written_summary_takes_the_place_of_a_made_one(
    memory: Memory, get: Get, sql: Sql
) -> None:
    sql("UPDATE facts SET summary_source = 'auto'")
    memory.update(1, Edit(summary="mine"))
    assert (get(1).summary, get(1).summary_source) == ("mine", "user")


def test_a_text_that_grows_long_brings_the_warning(memory: Memory, add: Add) -> None:
    other = add("no summary").fact_id
    assert memory.update(other, Edit(content="x" * 501)).warnings == (LENGTH_WARNING,)
    assert memory.update(other, Edit(content="x" * 500)).warnings == ()
    assert LENGTH_WARNING not in memory.update(1, Edit(content="y" * 501)).warnings


def test_the_new_words_are_found_and_the_old_ones_are_not(memory: Memory) -> None:
    memory.update(1, Edit(content="zebra crossing", summary="stripes", tags="animals"))
    for query in ("zebra", "stripes", "animals"):
        assert [hit.fact_id for hit in memory.search(query).results] == [1]
    assert memory.search("fact short").results == ()
