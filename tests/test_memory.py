"""Memory, one method a verb: what holds across its rooms."""

import sqlite3
import threading
from contextlib import closing
from typing import Any

import pytest

from mnemo.enums import Actor, Category, Detail, Verdict
from mnemo.errors import InvalidInput, MnemoError, NotFound, StoreUnavailable
from mnemo.memory import LIST_CAP, Memory
from mnemo.settings import Settings
from mnemo.writing.add import NewFact
from mnemo.writing.update import Edit
from tests.store import ancestors
from tests.store.scratch import NOW, Sql, fill, sql_on, table


def remember(memory: Memory, *contents: str, **given: Any) -> None:
    for reply in memory.add(*(NewFact(content, **given) for content in contents)):
        assert not isinstance(reply, MnemoError), reply


# -- opening and closing ------------------------------------------------------------------


def test_a_memory_touches_no_file_before_its_first_call(settings: Settings) -> None:
    memory = Memory(settings, clock=lambda: NOW)
    memory.close()
    assert not settings.database.exists()


def test_a_memory_opens_again_after_it_was_closed(memory: Memory) -> None:
    remember(memory, "a fact")
    memory.close()
    memory.close()
    assert memory.list().total == 1


def test_a_file_that_cannot_be_used_is_an_error_at_every_call(settings: Settings) -> None:
    settings.database.write_text("no database, but somebody's notes")
    memory = Memory(settings, clock=lambda: NOW)
    for call in (memory.status, memory.audit, lambda: memory.search("x"), memory.learn):
        with pytest.raises(StoreUnavailable, match=str(settings.database)):
            call()
    assert settings.database.read_text() == "no database, but somebody's notes"


def test_what_sqlite_says_becomes_a_sentence(memory: Memory, sql: Sql) -> None:
    remember(memory, "a fact")
    sql("DROP TABLE audit_log")
    failed, after = memory.add(NewFact("another"), NewFact("and one more"))
    assert isinstance(failed, StoreUnavailable)
    assert failed.hint
    assert after is failed, "what comes after is not tried"
    assert sql("SELECT content FROM facts") == [("a fact",)]


def test_threads_take_turns(memory: Memory) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                remember(memory, f"fact {number} {step}")
                memory.search(f"fact {number}")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert memory.list().total == 20
    assert memory.status().log_rows == 20


# -- one operation a call -----------------------------------------------------------------


def test_every_change_has_its_actor_its_before_image_and_its_event(
    settings: Settings, sql: Sql
) -> None:
    memory = Memory(settings, actor=Actor.AGENT, clock=lambda: NOW)
    remember(memory, "a fact")
    memory.update(1, Edit(tags="a"))
    memory.feedback(Verdict.HELPFUL, 1)
    memory.remove(1)
    memory.restore(1)
    memory.close()
    assert sql("SELECT kind, actor FROM operations ORDER BY op_id") == [
        ("add", "agent"),
        ("update", "agent"),
        ("feedback", "agent"),
        ("remove", "agent"),
        ("restore", "agent"),
    ]
    assert sql("SELECT op_id, before IS NULL FROM changes ORDER BY op_id") == [
        (1, 1),
        (2, 0),
        (3, 0),
        (4, 0),
        (5, 0),
    ]
    actions = sql("SELECT action, op_id FROM audit_log ORDER BY id")
    assert actions == [
        ("WRITE", 1),
        ("UPDATE", 2),
        ("FEEDBACK", 3),
        ("REMOVE", 4),
        ("RESTORE", 5),
    ]


def test_a_refused_call_leaves_no_trace(memory: Memory, sql: Sql) -> None:
    remember(memory, "a fact")
    before = {name: table(sql, name) for name in ("facts", "operations", "audit_log", "changes")}
    for refused in (
        lambda: memory.update(404, Edit(content="x")),
        lambda: memory.update(1, Edit()),
        lambda: memory.search(" "),
        lambda: memory.list(limit=0),
        lambda: memory.get(404),
    ):
        with pytest.raises(MnemoError):
            refused()
    memory.add(NewFact(""))
    memory.remove(404)
    memory.feedback(Verdict.HELPFUL, 404)
    assert {name: table(sql, name) for name in before} == before


# -- searching ----------------------------------------------------------------------------


def test_every_search_is_logged_and_its_hits_are_counted(memory: Memory, sql: Sql) -> None:
    remember(memory, "深色主题", "light theme")
    for query in (" 深色？ ", "nothing at all like it", "theme", "theme"):
        memory.search(query)
    assert [query for (query,) in sql("SELECT query FROM retrieval_log ORDER BY id")] == [
        " 深色？ ",
        "nothing at all like it",
        "theme",
        "theme",
    ]
    assert sql("SELECT retrieval_count, discounted, last_retrieved_at FROM facts") == [
        (1, 0, "2026-05-14 12:00:00"),
        (2, 1, "2026-05-14 12:00:00"),
    ]


def test_the_log_holds_the_scores_as_they_were_returned(memory: Memory, sql: Sql) -> None:
    remember(memory, "deploy on Tuesday", "deploy on Friday at noon")
    hits = memory.search("deploy Tuesday").results
    expected = ",".join(f'{{"id":{hit.fact_id},"score":{hit.score}}}' for hit in hits)
    assert sql("SELECT results FROM retrieval_log") == [(f"[{expected}]",)]


def test_browsing_is_no_recall(memory: Memory, sql: Sql) -> None:
    remember(memory, "a fact")
    memory.get(1)
    memory.list()
    memory.audit()
    memory.status()
    assert sql("SELECT retrieval_count, last_retrieved_at FROM facts") == [(0, None)]
    assert sql("SELECT count(*) FROM retrieval_log") == [(0,)]


def test_a_search_returns_ten_and_twenty_at_most(memory: Memory) -> None:
    memory.add(*(NewFact(f"deploy number {number}") for number in range(25)))
    assert memory.search("deploy").count == 10
    assert memory.search("deploy", limit=20).notes == ()
    capped = memory.search("deploy", limit=21)
    assert capped.count == 20
    assert "20" in capped.notes[0]


def test_a_search_shows_as_much_as_is_asked_for(memory: Memory) -> None:
    remember(memory, "深色主题", summary="深色")
    compact = memory.search("深色").as_json()["results"][0]
    assert compact.keys() == {"factId", "display", "category", "trustScore", "score"}
    full = memory.search("深色", detail=Detail.FULL).as_json()["results"][0]
    assert full["content"] == "深色主题"
    explained = memory.search("深色", explain=True).as_json()["results"][0]
    assert explained["match_on"] == "summary"
    assert explained["relevance"] == pytest.approx(
        0.5 * explained["fts"] + 0.5 * explained["jaccard"], abs=1e-4
    )


def test_archived_facts_are_found_on_request(memory: Memory, sql: Sql) -> None:
    remember(memory, "深色主题", "深色终端")
    sql("UPDATE facts SET status = 'archived' WHERE fact_id = 1")
    assert [hit.fact_id for hit in memory.search("深色").results] == [2]
    assert memory.search("深色", include_archived=True).count == 2
    assert memory.list(include_archived=True).total == 2
    assert memory.list(status="archived").total == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"category": "nonsense"},
        {"memory_class": "fact, nonsense"},
        {"min_trust": -0.1},
        {"min_trust": float("nan")},
        {"limit": 0},
        {"limit": -3},
    ],
)
def test_a_filter_that_means_nothing_is_refused(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        memory.search("x", **wrong)
    with pytest.raises(InvalidInput):
        memory.list(**wrong)


# -- reading ------------------------------------------------------------------------------


def test_a_class_and_a_project_narrow_what_is_found(memory: Memory) -> None:
    remember(memory, "The deploy runs on Fridays", memory_class="decision", project_id="shop")
    remember(memory, "The deploy might move to Mondays", memory_class="model_suggestion")
    remember(memory, "The deploy needs two reviews")

    def found(**narrowed: Any) -> list[int]:
        hits = [hit.fact_id for hit in memory.search("deploy", **narrowed).results]
        assert sorted(hits) == sorted(fact.fact_id for fact in memory.list(**narrowed).facts)
        return sorted(hits)

    assert found() == [1, 2, 3]
    assert found(memory_class="user_decision") == [1]
    assert found(memory_class="decision, fact") == [1, 3]
    assert found(project_id="shop") == [1]
    assert found(project_id="shop", memory_class="fact") == []


def test_a_list_without_a_category_is_of_all_of_them(memory: Memory) -> None:
    for category in Category:
        remember(memory, f"a fact of {category}", category=category)
    assert memory.list().total == 5
    page = memory.list(limit=2, offset=2)
    assert (page.count, page.total) == (2, 5)
    assert page.notes == ("more: offset=4",)
    assert memory.list(limit=2, offset=4).notes == ()
    assert [f.category for f in memory.list(category=" Workflow ").facts] == ["workflow"]


def test_a_list_holds_five_hundred_at_most(memory: Memory, settings: Settings) -> None:
    memory.status()
    assert memory._store
    fill(memory._store, [f"fact {number}" for number in range(LIST_CAP + 1)])
    page = memory.list(limit=10_000)
    assert (page.count, page.total) == (LIST_CAP, LIST_CAP + 1)


def test_a_record_has_all_its_columns_and_zulu_times(memory: Memory) -> None:
    remember(memory, "a fact", tags="a,b", date="2026-05-01")
    [fact] = memory.get(1).as_json()["facts"]
    assert fact["tags"] == ["a", "b"]
    assert fact["created_at"] == "2026-05-14T12:00:00Z"
    assert fact["date"] == "2026-05-01"
    assert fact["last_retrieved_at"] is None
    assert {"status", "merged_into", "pinned", "memory_class", "source_ref"} <= fact.keys()
    assert "learn_retrievals" not in fact


def test_what_was_not_there_is_named_beside_what_was(memory: Memory) -> None:
    remember(memory, "one", "two")
    reply = memory.get(2, 404, 1)
    assert [fact.fact_id for fact in reply.facts] == [2, 1]
    assert reply.notes == ("there is no fact 404",)
    with pytest.raises(NotFound, match="404, 405"):
        memory.get(404, 405)


def test_a_long_content_can_be_read_in_parts(memory: Memory) -> None:
    content = "".join(chr(0x4E00 + n % 900) for n in range(3000))
    remember(memory, content)
    assert memory.get(1, content_offset=2990).facts[0].content == content[2990:]
    with pytest.raises(InvalidInput, match="past the end"):
        memory.get(1, content_offset=9999)
    with pytest.raises(InvalidInput):
        memory.get(1, content_offset=-1)


def test_the_status_says_where_the_store_is_and_how_it_stands(
    memory: Memory, settings: Settings
) -> None:
    remember(memory, "one", "two", category="workflow")
    memory.remove(1)
    memory.learn()
    status = memory.status()
    assert status.db_path == str(settings.database)
    assert status.facts == {"active": 1, "removed": 1}
    assert status.categories == {"workflow": 1}
    assert status.as_json()["last_learn_at"] == "2026-05-14T12:00:00Z"
    assert status.last_dream_at is None


# -- other programs -----------------------------------------------------------------------


def test_what_another_program_wrote_is_found_at_the_next_call(memory: Memory, sql: Sql) -> None:
    remember(memory, "a fact")
    sql("INSERT INTO facts(content) VALUES ('written elsewhere')")
    sql("UPDATE facts SET content = 'changed elsewhere' WHERE fact_id = 1")
    assert {hit.fact_id for hit in memory.search("elsewhere").results} == {1, 2}
    assert memory.search("a fact").count == 0


def test_a_twin_that_another_program_wrote_is_known(memory: Memory, sql: Sql) -> None:
    remember(memory, "a fact")
    sql("INSERT INTO facts(content) VALUES ('written elsewhere')")
    [reply] = memory.add(NewFact("Written elsewhere."))
    assert not isinstance(reply, MnemoError)
    assert (reply.fact_id, reply.status) == (2, "exists")


def test_a_row_with_nonsense_in_it_hides_no_other(memory: Memory, sql: Sql) -> None:
    remember(memory, "深色主题", "light theme")
    sql("INSERT INTO facts(content, tags) VALUES (CAST(x'ff41' AS TEXT), CAST(x'fe' AS TEXT))")
    sql("INSERT INTO facts(content) VALUES (x'fffe00')")
    sql("INSERT INTO facts(content, created_at, last_retrieved_at) VALUES ('', '', 'soon')")
    assert memory.list().total == 5
    assert memory.search("深色").count == 1
    assert memory.audit().total_facts == 5
    assert memory.learn().unchanged == 5
    assert memory.dream().health.total == 5
    assert memory.update(3, Edit(content="mended")).updated
    assert memory.update(4, Edit(trust_delta=0.1)).updated
    assert memory.search("mended").count == 1


def test_an_old_database_answers_an_agent_at_once_and_says_what_is_missing(
    settings: Settings,
) -> None:
    ancestors.make(settings.database, ancestors.LAST)
    sql_on(settings.database)(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
        "INSERT INTO facts(content) SELECT '深色主题的第 ' || i || ' 条' FROM n"
    )
    memory = Memory(settings, clock=lambda: NOW, actor=Actor.AGENT)
    first = memory.search("深色")
    assert first.count == 10
    waiting = memory.status().index_pending
    if waiting:
        assert "still wait" in first.notes[0]
    while memory.catch_up(seconds=60):
        pass
    assert memory.search("深色").notes == ()
    memory.close()


def test_a_person_waits_for_an_old_database_and_misses_nothing(settings: Settings) -> None:
    ancestors.make(settings.database, ancestors.LAST)
    sql_on(settings.database)("INSERT INTO facts(content) VALUES ('深色主题，最后一条')")
    with closing(Memory(settings, clock=lambda: NOW)) as memory:
        assert memory.search("深色").notes == ()
        assert memory.status().index_pending == 0


def test_a_moment_that_was_another_programs_is_shown_as_it_can_be(memory: Memory, sql: Sql) -> None:
    remember(memory, "one")
    for stored, shown in (
        ("2026-05-01T10:00:00+09:00", "2026-05-01T01:00:00Z"),
        ("some day", "some day"),
        ("", ""),
    ):
        sql("UPDATE facts SET created_at = ?", stored)
        assert memory.get(1).as_json()["facts"][0]["created_at"] == shown


# -- upkeep -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "due"),
    [
        ("2026-05-07 12:00:00", True),
        ("2026-05-07 12:00:01", False),
        ("2026-05-14 12:00:00", False),
        ("2020-01-01 00:00:00", True),
    ],
)
def test_a_dream_is_due_a_week_after_the_last_or_after_the_first_start(
    memory: Memory, sql: Sql, last: str, due: bool
) -> None:
    assert not memory.is_due("dream", days=7)
    sql("UPDATE meta SET v = ? WHERE k = 'first_start'", last)
    assert memory.is_due("dream", days=7) is due
    sql("INSERT INTO meta VALUES ('last_dream_at', '2026-05-14 11:00:00')")
    assert not memory.is_due("dream", days=7)
    sql("UPDATE meta SET v = ? WHERE k = 'last_dream_at'", last)
    assert memory.is_due("dream", days=7) is due


def test_an_index_made_anew_finds_what_the_old_one_found(memory: Memory, sql: Sql) -> None:
    remember(memory, "深色主题", "light theme")
    sql("UPDATE fact_tokens SET match_text = 'spoilt'")
    assert memory.rebuild_index() == 2
    assert [hit.fact_id for hit in memory.search("深色").results] == [1]
    with closing(sqlite3.connect(memory.settings.database)) as connection:
        connection.execute("INSERT INTO fact_index(fact_index) VALUES ('integrity-check')")


def test_words_of_merged_facts_are_found_under_their_survivor(memory: Memory) -> None:
    remember(
        memory,
        "编码规范：函数不超过 40 行，变量用 snake_case，提交前运行 linter",
        "编码规范：函数不超过 40 行，变量用 snake_case",
        category="coding_style",
    )
    dreamed = memory.dream()
    assert dreamed.deleted == 1
    [hit] = memory.search("snake_case").results
    assert hit.fact_id == 1
    memory.restore(2)
    assert memory.search("snake_case").count == 2
