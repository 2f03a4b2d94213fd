"""Old databases: what earlier programs left is opened where it lies, and nothing in it is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.doors import DEADLINE, CommandDoor, Door
from tests.store import ancestors

pytestmark = pytest.mark.process

# Facts that the last ancestor would have written behind its first two; it made up most tags.
MORE = """
INSERT INTO facts(content, category, tags, trust_score, created_at) VALUES
 ('用户偏好深色主题，编辑器是 VS Code，字体 JetBrains Mono 14 号。', 'tool_pref',
  'editor,主题,用户,户偏,偏好,好深,深色,色主,主题,编辑,辑器,器是,字体', 0.67,
  '2026-03-03 08:00:00'),
 ('Prefers early returns over nested ifs in Python and Go code.', 'coding_style',
  'python,go', 0.41, '2026-03-04 08:00:00'),
 ('预发数据库在内网 10.0.3.22，端口 5433。', 'general',
  '数据库,预发,发数,数据,据库,库在,在内,内网,端口', 0.9, '2026-03-05 08:00:00'),
 ('生产数据库在内网 10.0.3.21，端口 5432。', 'general', '数据库', 0.5, '2026-03-06 08:00:00'),
 ('游戏引擎用 C++ 写，脚本用 Lua。', 'general', '', 0.5, '2026-03-07 08:00:00'),
 ('测试用 pytest，文件名 test_*.py，夹具放在 conftest.py。', 'coding_style',
  'pytest,测试,试用,文件,件名,夹具,具放,放在', 0.5, '2026-03-08 08:00:00'),
 ('The proxy listens on port 8080.', 'general', 'net,ops', 0.5, '2026-03-09 08:00:00'),
 ('Knows C and Rust, and goes to the office on Mondays.', 'identity', '', 0.9,
  '2026-03-10 08:00:00'),
 ('', 'general', '', 0.5, '2026-03-11 08:00:00');
"""
LAST = ancestors.LAST + MORE
LAYOUTS = {"the first": ancestors.FIRST, "the last": LAST, "by hand": ancestors.BARE}
TABLES = ("facts", "entities", "fact_entities", "retrieval_log")

# What asks for a fact, and the fact that must come first.
ASKED = {
    "深色": 3,
    "主题": 3,
    "VS": 3,
    "Go": 4,
    "10.0.3.22": 5,
    "10.0.3.21": 6,
    "C++": 7,
    "test_*.py": 8,
    "8080": 9,
    "晓": 2,
}

# Text of a few hundred characters each, so that the index takes longer than one call may.
MANY = """
WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1200)
INSERT INTO facts(content)
SELECT '第 ' || n || ' 号机柜：'
  || replace(hex(zeroblob(24)), '00', '交换机和配线架每个季度检查一次，')
FROM counted;
"""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_value_of_an_old_database_is_kept(command: CommandDoor, layout: str) -> None:
    """WHEN a database is opened that the first or the last ancestor wrote, or somebody by hand,
    THEN every id, text, category, trust, counter, date and log row is what it was, columns that
    only the ancestor knew included, and an id that was used once is given to no other fact.
    """
    ancestors.make(command.database, LAYOUTS[layout])
    before = everything(command.database)

    total = command.call("list")["total"]

    after = everything(command.database)
    assert total == len(before["facts"])
    assert after.keys() >= before.keys()
    for table, rows in before.items():
        assert len(after[table]) == len(rows)
        for old, new in zip(rows, after[table], strict=True):
            assert {name: new.get(name) for name in old if name != "tags"} == without_tags(old)
    highest = {"the first": 5, "the last": 11, "by hand": 7}[layout]
    assert command.call("add", content="one more")["fact_id"] == highest + 1


def test_the_tags_of_a_person_stay_and_generated_ones_go(command: CommandDoor) -> None:
    """WHEN an ancestor had appended pairs of neighbouring characters of a fact to its tags, THEN
    those pairs are gone and the tags that a person gave are there, in their order.
    """
    ancestors.make(command.database, LAST)

    tags = {fact["fact_id"]: fact["tags"] for fact in command.call("list")["facts"]}

    assert tags[3] == ["editor", "主题"]
    assert tags[4] == ["python", "go"]
    assert (tags[5], tags[6]) == (["数据库"], ["数据库"])
    assert (tags[8], tags[9]) == (["pytest"], ["net", "ops"])


def test_an_old_database_is_backed_up_once(tool: Door) -> None:
    """WHEN the server's own upkeep and the first call open an old database at the same moment, and
    it is opened again afterwards, THEN one sound copy of the old file lies in the backup folder,
    and the call is answered.
    """
    ancestors.make(tool.database, LAST)
    before = everything(tool.database)

    assert tool.call("search", query="深色")["count"] >= 1
    tool.settle()
    tool.close()
    tool.call("list")
    tool.settle()

    (copy,) = (tool.home / "backup").iterdir()
    assert copy.name.startswith("migrate-")
    assert everything(copy) == before
    with closing(sqlite3.connect(copy)) as backup:
        assert backup.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_opening_an_old_database_again_changes_nothing(command: CommandDoor) -> None:
    """WHEN an old database that was opened before is opened again, THEN not a byte of it changes
    and no further copy is made.
    """
    ancestors.make(command.database, LAST)
    first = command.call("list")
    before = command.database.read_bytes()

    again = command.call("list")

    assert again == first
    assert command.database.read_bytes() == before
    assert len(list((command.home / "backup").iterdir())) == 1


def test_the_words_of_an_old_database_are_found_first(tool: Door) -> None:
    """WHEN an old database is asked for a Chinese word of one or two characters, for VS, Go, C++, a
    port, an address or a file pattern, THEN the fact that holds it comes first.
    """
    ancestors.make(tool.database, LAST)

    first = {query: tool.call("search", query=query)["results"][0]["factId"] for query in ASKED}

    assert first == ASKED


def test_an_empty_fact_survives_and_disturbs_no_call(tool: Door) -> None:
    """WHEN an old database holds a fact without a text, THEN every action goes on as if it was not
    there, no search returns it, and it can be read and removed.
    """
    ancestors.make(tool.database, ancestors.FIRST)

    for query in ("深色", "push", "%", "_", '"', "''", "*", "NOT", "?!"):
        assert 4 not in [hit["factId"] for hit in tool.call("search", query=query)["results"]]
    for action in ("list", "learn", "audit", "dream", "status"):
        tool.call(action)

    (fact,) = tool.call("get", fact_id=4)["facts"]
    assert (fact["content"], fact["status"]) == ("", "active")
    assert tool.call("search", query="主题")["results"][0]["factId"] == 1
    assert tool.call("remove", fact_id=4)["removed"] is True


def test_the_same_text_may_stand_in_two_categories_afterwards(command: CommandDoor) -> None:
    """WHEN an ancestor allowed each text once, THEN after the move its text can be added under
    another category, and under its own it is known.
    """
    ancestors.make(command.database, LAST)
    text = "数据库连接池大小为 20，超时 30 秒"

    other = command.call("add", content=text, category="workflow")
    own = command.call("add", content=text + "。", category="general")

    assert (other["status"], other["fact_id"]) == ("added", 12)
    assert (own["status"], own["fact_id"]) == ("exists", 1)


def test_calls_are_answered_while_the_index_fills(tool: Door) -> None:
    """WHEN an old database is so large that its index takes longer than one call, THEN calls are
    answered at once, a search notes how many facts still wait, a statement that waits is known
    when it is added again, and in the end the last fact is found and nothing waits.
    """
    ancestors.make(tool.database, ancestors.LAST + MANY)
    last = tool.sql("SELECT fact_id, content FROM facts ORDER BY fact_id DESC LIMIT 1")

    early = tool.call("search", query="林晓")
    known = tool.call("add", content=last[0][1])

    assert "wait to be indexed" in early["notes"][0]
    assert (known["status"], known["fact_id"]) == ("exists", 1202)
    for _ in range(int(DEADLINE * 5)):
        if not tool.call("status")["index_pending"]:
            break
        tool.call("search", query="林晓")
    late = tool.call("search", query="1200 号机柜")
    assert "notes" not in late
    assert late["results"][0]["factId"] == 1202


def test_what_another_program_writes_is_seen_by_the_next_search(tool: Door) -> None:
    """WHEN another program inserts, changes and deletes facts while the server runs, THEN the next
    search finds the new words, no longer finds the old ones, and knows nothing of what is gone.
    """
    ancestors.make(tool.database, LAST)
    assert tool.call("search", query="pytest")["results"][0]["factId"] == 8

    tool.sql("INSERT INTO facts(content, tags) VALUES ('The kettle is in the pantry', 'tea')")
    tool.sql("UPDATE facts SET content = '测试用 nose' WHERE fact_id = 8")
    tool.sql("DELETE FROM facts WHERE fact_id = 7")

    assert [hit["factId"] for hit in tool.call("search", query="kettle")["results"]] == [12]
    assert [hit["factId"] for hit in tool.call("search", query="tea")["results"]] == [12]
    assert [hit["factId"] for hit in tool.call("search", query="nose")["results"]] == [8]
    for query, gone in (("夹具", 8), ("Lua", 7)):
        assert gone not in [hit["factId"] for hit in tool.call("search", query=query)["results"]]
    assert "7" in tool.refused("get", fact_id=7)["error"]


def test_a_newer_database_is_refused_and_left_as_it_is(door: Door) -> None:
    """WHEN a database says that a newer program wrote it, THEN every action is refused with a hint
    to update, and not a byte of the file changes.
    """
    door.call("add", content="from the future")
    door.close()
    door.sql("UPDATE meta SET v = '99' WHERE k = 'schema_version'")
    before = door.database.read_bytes()

    for action, more in (("add", {"content": "x"}), ("search", {"query": "future"}), ("dream", {})):
        refusal = door.refused(action, **more)
        assert "newer" in refusal["error"]
        for words in ("schema 99", "update mnemo"):
            assert words in refusal["error"] + refusal["hint"]

    door.close()
    assert door.database.read_bytes() == before
    assert not (door.home / "backup").exists()


def test_a_file_of_something_else_is_refused_and_left_as_it_is(door: Door) -> None:
    """WHEN the file is a database of another kind, or no database at all, THEN every action is
    refused with a hint to name another file, and not a byte of it changes.
    """
    with closing(sqlite3.connect(door.database)) as connection:
        connection.executescript("CREATE TABLE songs(title); INSERT INTO songs VALUES ('晚安');")
    before = door.database.read_bytes()
    for action, more in (("add", {"content": "x"}), ("list", {})):
        refusal = door.refused(action, **more)
        assert "not a fact memory" in refusal["error"]
        assert "MNEMO_DB_PATH" in refusal["hint"]
    assert door.database.read_bytes() == before

    door.database.write_text("my notes, by hand\n" * 100)
    refusal = door.refused("add", content="x")
    assert "not a database" in refusal["error"]
    assert "MNEMO_DB_PATH" in refusal["hint"]
    assert door.database.read_text() == "my notes, by hand\n" * 100


def everything(database: Path) -> dict[str, list[dict[str, object]]]:
    """Every row of every table that an ancestor may have; NULLs left out."""
    with closing(sqlite3.connect(database)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    present = {name for (name,) in names}
    return {table: ancestors.rows(database, table) for table in TABLES if table in present}


def without_tags(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "tags"}
