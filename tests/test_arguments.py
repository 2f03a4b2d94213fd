"""What clients and models write, and how it is read: generously, and never as something else."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.actions import ACTIONS, MAX_ITEMS, call
from mnemo.arguments import Arguments, read_arguments
from mnemo.errors import InvalidInput, MnemoError, NotFound
from mnemo.memory import Memory
from mnemo.tools import FEEDBACK, RECALL, STORE, TAKES, TOOLS, input_schema


def read(**raw: Any) -> Arguments:
    return read_arguments(raw)[0]


# -- numbers, truths and lists in any clothes -----------------------------------------------


@pytest.mark.parametrize("value", [12, "12", 12.0, " 12 "])
def test_a_number_may_come_as_a_text(value: object) -> None:
    assert read(fact_id=value).fact_id == 12


@pytest.mark.parametrize("value", [True, False, "#12", "twelve", 12.5, {"id": 12}, "true"])
def test_what_is_no_number_is_refused_in_one_sentence(value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(fact_id=value)
    assert refused.value.message.endswith(" is not the id of a fact")
    assert refused.value.hint == "give ids as numbers, such as 12"
    assert "\n" not in refused.value.message
    assert "pydantic" not in refused.value.message


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, True), ("true", True), ("True", True), (1, True), ("false", False), (False, False)],
)
def test_a_truth_may_come_as_a_text(value: object, expected: bool) -> None:
    assert read(dry_run=value).dry_run is expected


def test_a_truth_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match="dry_run must be true or false"):
        read(dry_run="perhaps")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a,b", "a,b"),
        (["a", "b"], "a,b"),
        ('["a","b"]', "a,b"),
        ("test", "test"),
        (["test"], "test"),
        (["a", None, "null", ""], "a"),
        ([1, 2], "1,2"),
        (7, "7"),
    ],
)
def test_tags_may_be_a_text_a_list_or_a_list_in_a_text(value: object, expected: str) -> None:
    assert read(tags=value).tags == expected


@pytest.mark.parametrize("value", ["", None, "null", "None", [], ["null"], [None], "[]"])
def test_tags_that_say_nothing_are_not_given(value: object) -> None:
    assert "tags" not in read(tags=value).given


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2], [1, 2]),
        (["1", "2"], [1, 2]),
        ("[1, 2]", [1, 2]),
        ('["1"]', [1]),
        ("1, 2", [1, 2]),
        (3, [3]),
        ("3", [3]),
    ],
)
def test_ids_may_be_a_list_or_a_list_in_a_text(value: object, expected: list[int]) -> None:
    assert read(fact_ids=value).fact_ids == expected
    if not isinstance(value, int | str) or "," in str(value) or "[" in str(value):
        return
    assert read(fact_id=value).fact_id == expected[0]


@pytest.mark.parametrize("value", [[True], ["x"], [1.5], [None], {"a": 1}])
def test_a_list_of_anything_else_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="is not the id of a fact"):
        read(fact_ids=value)


@pytest.mark.parametrize("value", [[1, 2], "[1, 2]", '["1", "2"]'])
def test_a_list_in_the_place_of_one_id_is_a_list_of_ids(value: object) -> None:
    arguments = read(fact_id=value)
    assert (arguments.fact_ids, "fact_id" in arguments.given) == ([1, 2], False)


@pytest.mark.parametrize("value", [["one", "two"], '["one", "two"]'])
def test_a_list_in_the_place_of_one_statement_is_a_list_of_statements(value: object) -> None:
    assert read(content=value).contents == ["one", "two"]
    assert read(content=value, contents=[]).contents == ["one", "two"]


@pytest.mark.parametrize(
    "content",
    [
        "[TODO] call Jane",
        "[1, 2, 3]",
        "[true]",
        '{"name": "read_file", "arguments": {"path": "x"}}',
        '[{"a": 1}]',
        "[",
        "12",
        "a, b",
    ],
)
def test_a_statement_about_json_is_a_statement(content: str) -> None:
    assert read(content=content).content == content


def test_a_comma_does_not_part_a_statement() -> None:
    assert read(contents="first, second").contents == ["first, second"]


def test_a_number_may_be_a_statement() -> None:
    assert read(content=42).content == "42"
    assert read(query=8080).query == "8080"


# -- what is not given --------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, "", " ", "null", "NULL", "None"])
@pytest.mark.parametrize("name", ["limit", "category", "fact_id", "fact_ids", "min_trust", "date"])
def test_a_word_for_nothing_is_nothing(name: str, value: object) -> None:
    assert read(**{name: value}).given == frozenset()


def test_a_question_may_be_about_nothing() -> None:
    assert read(query="null").query == "null"
    assert read(query=None).given == frozenset()


@pytest.mark.parametrize("name", ["content", "summary"])
def test_the_word_for_nothing_is_no_statement(name: str) -> None:
    assert read(**{name: "null"}).given == frozenset()
    assert read(**{name: None}).given == frozenset()
    assert getattr(read(**{name: "null and void"}), name) == "null and void"


# -- names --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "name", "value"),
    [
        ({"factId": 3}, "fact_id", 3),
        ({"id": 3}, "fact_id", 3),
        ({"fp": 3}, "fact_id", 3),
        ({"ids": [3]}, "fact_ids", [3]),
        ({"topK": 5}, "limit", 5),
        ({"top_k": 5}, "limit", 5),
        ({"Limit": 5}, "limit", 5),
        ({"minTrust": 0.5}, "min_trust", 0.5),
        ({"minWeight": 10}, "min_trust", 0.5),
        ({"min_weight": "3"}, "min_trust", 0.15),
        ({"minWeight": 0.1}, "min_trust", 0.1),
        ({"dryRun": True}, "dry_run", True),
        ({"includeArchived": True}, "include_archived", True),
        ({"tag": "a"}, "tags", "a"),
        ({"fragmentTypes": ["decision", "note"]}, "memory_class", "decision,note"),
        ({"types": "decision,note"}, "memory_class", "decision,note"),
        ({"projectId": "shop"}, "project_id", "shop"),
        ({"text": "q"}, "query", "q"),
        ({"text": "q", "action": "query"}, "query", "q"),
        ({"text": "q", "action": "ADD"}, "content", "q"),
        ({"text": "q", "action": "update"}, "content", "q"),
    ],
)
def test_other_spellings_are_understood(raw: dict[str, Any], name: str, value: object) -> None:
    arguments, warnings = read_arguments(raw)
    assert getattr(arguments, name) == value
    assert warnings == ()


def test_a_key_that_means_nothing_is_named() -> None:
    _, warnings = read_arguments({"action": "list", "Limit": 3, "categroy": "x", "zzz": None})
    [warning] = warnings
    assert "categroy" in warning
    assert "imit" not in warning.replace("Limit", "")


def test_many_keys_that_mean_nothing_are_named_in_part() -> None:
    [warning] = read_arguments({"key" * 50 + str(number): 1 for number in range(30)})[1]
    assert len(warning) < 400
    assert "25 more" in warning


def test_a_key_that_some_clients_always_send_is_passed_over() -> None:
    assert read_arguments({"action": "list", "mode": "fast"})[1] == ()


@given(
    st.dictionaries(
        st.sampled_from([*Arguments.model_fields, "text", "id", "minWeight", "zzz"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
            max_leaves=4,
        ),
        max_size=4,
    )
)
def test_anything_is_read_or_refused_and_never_breaks(raw: dict[str, Any]) -> None:
    with contextlib.suppress(MnemoError):
        arguments, _ = read_arguments(raw)
        assert arguments.given <= Arguments.model_fields.keys()


# -- through the tools --------------------------------------------------------------------


@pytest.mark.parametrize("action", ["ADD", " add ", "Add"])
def test_an_action_may_be_written_in_any_case(memory: Memory, action: str) -> None:
    assert call(memory, STORE, {"action": action, "content": "x"})["status"] == "added"


@pytest.mark.parametrize(
    "raw", [{}, {"action": None}, {"action": ""}, {"action": "delete"}, {"action": 5}]
)
def test_an_action_that_is_missing_or_unknown_is_told_which_there_are(
    memory: Memory, raw: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        call(memory, STORE, raw)
    assert "add" in refused.value.hint
    assert "dream" in refused.value.hint
    assert "None" not in refused.value.message


def test_a_recall_without_an_action_is_a_search(memory: Memory) -> None:
    call(memory, STORE, {"action": "add", "content": "深色主题"})
    assert call(memory, RECALL, {"query": "深色"})["count"] == 1
    assert call(memory, RECALL, {"action": "query", "text": "深色"})["count"] == 1


def test_a_recall_writes_no_fact(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="no action 'add'"):
        call(memory, RECALL, {"action": "add", "content": "x"})


@pytest.mark.parametrize("limit", [-1, 0, -5, "-1"])
def test_a_limit_below_one_is_refused(memory: Memory, limit: object) -> None:
    for raw in ({"action": "search", "query": "x"}, {"action": "list"}):
        with pytest.raises(InvalidInput, match="below 1"):
            call(memory, STORE, raw | {"limit": limit})


@pytest.mark.parametrize(
    "raw",
    [
        {"action": "get", "fact_id": 10**30},
        {"action": "get", "fact_id": -1},
        {"action": "get", "fact_id": 0},
        {"action": "update", "fact_id": 10**30, "content": "x"},
        {"action": "remove", "fact_id": 10**30},
        {"action": "restore", "fact_id": 10**30},
    ],
)
def test_an_id_that_no_fact_has_is_not_found(memory: Memory, raw: dict[str, Any]) -> None:
    call(memory, STORE, {"action": "add", "content": "x"})
    with pytest.raises(NotFound, match="there is no fact"):
        call(memory, STORE, raw)


def test_a_page_far_beyond_the_last_is_empty(memory: Memory) -> None:
    call(memory, STORE, {"action": "add", "content": "x"})
    answer = call(memory, STORE, {"action": "list", "offset": 10**30})
    assert (answer["facts"], answer["total"]) == ([], 1)


@pytest.mark.parametrize("trust", [-0.1, 1.1, "nan", float("inf")])
def test_a_trust_that_cannot_be_is_refused(memory: Memory, trust: object) -> None:
    with pytest.raises(InvalidInput, match="min_trust"):
        call(memory, STORE, {"action": "search", "query": "x", "min_trust": trust})


def test_a_misspelt_argument_is_named_in_the_reply(memory: Memory) -> None:
    answer = call(memory, STORE, {"action": "add", "content": "x", "categroy": "workflow"})
    assert answer["category"] == "general"
    assert answer["warnings"] == ["unknown arguments were ignored: categroy"]


@pytest.mark.parametrize(
    "raw",
    [
        {"action": "add"},
        {"action": "add", "content": ""},
        {"action": "add", "content": None},
        {"action": "add", "contents": []},
        {"action": "search"},
        {"action": "search", "query": " "},
        {"action": "get"},
        {"action": "get", "fact_ids": []},
        {"action": "update", "fact_id": 1},
        {"action": "update", "content": "x"},
        {"action": "remove"},
        {"action": "list", "category": "nonsense"},
        {"action": "list", "status": "gone"},
        {"action": "search", "query": "x", "detail": "more"},
    ],
)
def test_what_is_missing_or_wrong_is_said(memory: Memory, raw: dict[str, Any]) -> None:
    call(memory, STORE, {"action": "add", "content": "there is one"})
    with pytest.raises(InvalidInput) as refused:
        call(memory, STORE, raw)
    assert refused.value.message


def test_a_client_that_fills_every_field_in_means_only_what_it_set(memory: Memory) -> None:
    """Some models must fill in every field of a schema, and write its empty value."""
    empty: dict[str, Any] = {
        "content": "",
        "contents": [],
        "query": "",
        "fact_ids": [],
        "category": "",
        "tags": "",
        "summary": "",
        "source": "",
        "date": "",
        "clear": [],
        "trust_delta": 0,
        "explain": False,
        "dry_run": False,
        "status": "",
        "detail": "",
        "offset": 0,
    }
    added = call(
        memory, STORE, empty | {"action": "add", "content": "a fact", "summary": "s", "tags": "t"}
    )
    assert added["status"] == "added"
    changed = call(memory, STORE, empty | {"action": "update", "fact_id": 1, "content": "b fact"})
    assert changed["updated"] is True
    [fact] = call(memory, STORE, empty | {"action": "get", "fact_id": 1})["facts"]
    assert (fact["content"], fact["summary"], fact["tags"]) == ("b fact", "s", ["t"])
    changed = call(memory, STORE, empty | {"action": "update", "fact_id": 1, "tags": "u"})
    assert changed["updated"] is True
    [fact] = call(memory, STORE, empty | {"action": "get", "fact_id": 1})["facts"]
    assert (fact["content"], fact["summary"], fact["tags"]) == ("b fact", "s", ["u"])
    assert call(memory, STORE, empty | {"action": "search", "query": "fact"})["count"] == 1
    assert call(memory, STORE, empty | {"action": "list"})["count"] == 1
    assert call(memory, FEEDBACK, empty | {"action": "helpful", "fact_id": 1})["helpfulCount"] == 1
    assert call(memory, STORE, empty | {"action": "remove", "fact_id": 1})["removed"] is True


def test_several_items_come_back_each_with_its_own_answer(memory: Memory) -> None:
    answer = call(memory, STORE, {"action": "add", "content": ["one", " ", "two"]})
    assert answer["count"] == 3
    assert [item.get("status") for item in answer["results"]] == ["added", None, "added"]
    assert answer["results"][1].keys() == {"error", "hint"}
    answer = call(memory, STORE, {"action": "remove", "fact_id": "[1, 404]"})
    assert [item.get("removed") for item in answer["results"]] == [True, None]


def test_more_than_two_hundred_items_are_refused_before_anything_is_written(
    memory: Memory,
) -> None:
    contents = [f"fact {number}" for number in range(MAX_ITEMS + 1)]
    with pytest.raises(InvalidInput, match="201 items"):
        call(memory, STORE, {"action": "add", "contents": contents})
    assert call(memory, STORE, {"action": "list"})["total"] == 0


def test_a_cleared_field_is_empty(memory: Memory) -> None:
    call(memory, STORE, {"action": "add", "content": "x", "summary": "s", "tags": "t"})
    for clear in ("summary", ["tags"]):
        call(memory, STORE, {"action": "update", "fact_id": 1, "clear": clear})
    [fact] = call(memory, STORE, {"action": "get", "fact_id": 1})["facts"]
    assert (fact["summary"], fact["tags"]) == (None, [])


# -- what a client is told ----------------------------------------------------------------


@pytest.mark.parametrize("tool", [STORE, RECALL, FEEDBACK])
def test_a_schema_is_flat_and_of_plain_types(tool: str) -> None:
    """One union at the root, and some clients refuse every tool of the session."""
    schema = input_schema(tool)
    assert schema["type"] == "object"
    assert schema.keys() == {"type", "properties", "required"}
    for field in schema["properties"].values():
        assert field["type"] in ("string", "integer", "number", "boolean", "array")
        assert field["description"]
        assert not {"$ref", "anyOf", "oneOf", "allOf", "title", "default"} & field.keys()


@pytest.mark.parametrize("tool", [STORE, RECALL, FEEDBACK])
def test_a_schema_names_nothing_that_its_actions_do_not_take(tool: str) -> None:
    taken = {name for action in TOOLS[tool] for name in TAKES[action]}
    assert set(input_schema(tool)["properties"]) <= _as_written(taken) | {"action"}
    assert taken <= Arguments.model_fields.keys()
    assert set(TOOLS[tool]) <= ACTIONS.keys()


UNDECLARED = {"auto", "explain", "resume", "actor", "aggregate", "group_by", "track"}


def test_every_argument_is_declared_in_a_tool_save_those_for_programs() -> None:
    declared = {name for tool in TOOLS for name in input_schema(tool)["properties"]}
    taken = {name for action in TAKES for name in TAKES[action]}
    assert _as_written(taken) | {"action"} == declared | UNDECLARED


def _as_written(names: set[str]) -> set[str]:
    return {Arguments.model_fields[name].alias or name for name in names}
