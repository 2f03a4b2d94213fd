"""Settings: what is read, what is refused, and that a person's file is never lost."""

import ast
import json
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import mnemo
from mnemo.errors import InvalidInput, Refused
from mnemo.memory import Memory
from mnemo.models import ConfigReply
from mnemo.settings import NearDuplicateAction, Preferences, Profile, Settings
from mnemo.settings.preferences import differing, key_named
from tests.store.scratch import NOW, Sql, sql_on

GUIDE = Path(__file__).parents[1] / "docs" / "guide.md"


def load(home: Path, **config: object) -> Settings:
    (home / "config.json").write_text(json.dumps(config), "utf-8")
    return Settings.load({"MNEMO_HOME": str(home)})


def test_the_database_lies_in_the_home_folder_unless_it_is_named(tmp_path: Path) -> None:
    assert Settings.load({"HOME": "/h", "MNEMO_HOME": "/m"}).database == Path("/m/facts.db")
    named = {"MNEMO_HOME": str(tmp_path), "MNEMO_DB_PATH": "/other/file.db"}
    assert Settings.load(named).database == Path("/other/file.db")


def test_what_runs_by_itself_is_turned_off_by_the_environment() -> None:
    assert Settings.load({"MNEMO_HOME": "/m"}).automatic
    assert not Settings.load({"MNEMO_HOME": "/m", "MNEMO_NO_AUTO": "1"}).automatic


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert Settings.load({"MNEMO_HOME": str(tmp_path)}).preferences == Preferences()


def test_a_preference_is_understood_in_both_spellings(tmp_path: Path) -> None:
    for key in ("near_duplicate_action", "nearDuplicateAction"):
        preferences = load(tmp_path, **{key: "merge"}).preferences
        assert preferences.near_duplicate_action == NearDuplicateAction.MERGE


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("near_duplicate_action", "eat"),
        ("near_duplicate_threshold", "0.7"),
        ("near_duplicate_threshold", 1.5),
        ("auto_dream_days", -1),
        ("max_query_results", 0),
        ("max_query_results", True),
        ("min_trust", None),
    ],
)
def test_a_wrong_value_is_named_with_its_key_and_its_default_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, key: str, value: object
) -> None:
    with caplog.at_level(logging.WARNING):
        preferences = load(tmp_path, **{key: value, "max_query_results": 30} | {key: value})
    assert getattr(preferences.preferences, key) == getattr(Preferences(), key)
    assert key in caplog.text
    assert "config.json" in caplog.text
    if key != "max_query_results":
        assert preferences.preferences.max_query_results == 30


def test_an_unknown_key_is_named_and_the_known_ones_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        settings = load(tmp_path, half_live_days=3, min_trust=0.2)
    assert "half_live_days" in caplog.text
    assert settings.preferences.min_trust == 0.2


def test_a_file_that_cannot_be_read_leaves_the_defaults_and_stays_as_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "config.json").write_text("{broken", "utf-8")
    with caplog.at_level(logging.WARNING):
        assert Settings.load({"MNEMO_HOME": str(tmp_path)}).preferences == Preferences()
    assert "config.json" in caplog.text
    assert (tmp_path / "config.json").read_text("utf-8") == "{broken"


def test_two_spellings_of_one_key_are_named_and_the_first_of_its_names_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        preferences = load(tmp_path, maxQueryResults=5, max_query_results=6).preferences
    assert preferences.max_query_results == 6
    assert "maxQueryResults does not count" in caplog.text


@pytest.mark.parametrize("key", ["near_duplicate_threshold", "auto_dream_days"])
def test_zero_turns_off_and_is_no_mistake(tmp_path: Path, key: str) -> None:
    assert getattr(load(tmp_path, **{key: 0}).preferences, key) == 0


def test_an_unknown_key_is_answered_with_the_nearest(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        load(tmp_path, nearDuplicatesAction="merge")
    assert "did you mean near_duplicate_action?" in caplog.text
    with pytest.raises(InvalidInput) as refused:
        key_named("colour")
    assert all(name in refused.value.hint for name in Preferences.model_fields)


def test_a_profile_sets_defaults_and_nothing_that_is_set(tmp_path: Path) -> None:
    of_the_profile = load(tmp_path, profile="biomemory").preferences
    assert differing(of_the_profile) == {"profile": "biomemory", "near_duplicate_action": "merge"}
    chosen = load(tmp_path, profile="biomemory", nearDuplicateAction="skip").preferences
    assert chosen.near_duplicate_action == NearDuplicateAction.SKIP
    assert load(tmp_path, profile="mnemo").preferences == Preferences()
    assert Preferences().profile == Profile.MNEMO


def test_a_mark_that_editors_write_before_the_text_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"min_trust": 0.2}', "utf-8-sig")
    assert Settings.load({"MNEMO_HOME": str(tmp_path)}).preferences.min_trust == 0.2


def test_every_key_is_read_somewhere() -> None:
    read = {
        node.attr
        for file in Path(mnemo.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and "preferences" in ast.unparse(node.value)
    }
    # The profile is read where the defaults are.
    assert set(Preferences.model_fields) - {"profile"} <= read


def test_the_guide_tells_every_key_with_its_default() -> None:
    rows = dict(
        line.strip("| ").split(" | ")[:2]
        for line in GUIDE.read_text("utf-8").splitlines()
        if line.startswith("| `")
    )
    for name, value in Preferences().model_dump(mode="json").items():
        assert json.loads(rows[f"`{name}`"].strip("`")) == value, name


# -- changing them -----------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "config.json"


@pytest.fixture
def memory(file: Path) -> Iterator[Memory]:
    settings = Settings(home=file.parent, database=file.parent / "facts.db")
    opened = Memory(settings, clock=lambda: NOW)
    yield opened
    opened.close()


@pytest.fixture
def sql(file: Path) -> Sql:
    return sql_on(file.parent / "facts.db")


def test_file_memory_and_reply_agree_after_a_change(memory: Memory, file: Path) -> None:
    reply = memory.set_config("nearDuplicateAction", "merge")
    assert reply == ConfigReply(
        path=str(file),
        settings={"near_duplicate_action": "merge"},
        changed=("near_duplicate_action",),
    )
    assert json.loads(file.read_text("utf-8")) == {"near_duplicate_action": "merge"}
    assert memory.settings.preferences.near_duplicate_action == NearDuplicateAction.MERGE
    assert memory.config("near_duplicate_action").settings == reply.settings
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("near_duplicate_action", "eat", "keep, merge, skip"),
        ("near_duplicate_threshold", "", "a number from 0 to 1"),
        ("near_duplicate_threshold", 1.5, "a number from 0 to 1"),
        ("auto_dream_days", "off", "a number, 0 or more"),
        ("auto_dream_days", "-1", "a number, 0 or more"),
        ("auto_dream_days", "nan", "a number, 0 or more"),
        ("max_query_results", "0", "a whole number from 1 to 100"),
        ("max_query_results", True, "a whole number from 1 to 100"),
    ],
)
def test_a_value_that_cannot_be_is_refused_and_nothing_changes(
    memory: Memory, file: Path, key: str, value: str | float, allowed: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.set_config(key, value)
    assert refused.value.message == f"{key} cannot be {json.dumps(value)}"
    assert refused.value.hint == f"allowed: {allowed}"
    assert not file.exists()


def test_everything_else_in_the_file_stays(memory: Memory, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"mine": {"a": [1, "甲"]}, "minTrust": 0.2, "auto_dream_days": "x"}', "utf-8")
    memory.set_config("min_trust", "0.4")
    memory.set_config("max_query_results", 5)
    assert json.loads(file.read_text("utf-8")) == {
        "mine": {"a": [1, "甲"]},
        "minTrust": 0.4,
        "auto_dream_days": "x",
        "max_query_results": 5,
    }
    memory.reset_config()
    assert json.loads(file.read_text("utf-8")) == {"mine": {"a": [1, "甲"]}}
    assert [kept.name for kept in file.parent.glob("config*")] == ["config.json"]


def test_a_reset_lets_the_default_hold_again(memory: Memory) -> None:
    memory.set_config("profile", "biomemory")
    memory.set_config("min_trust", 0.2)
    assert memory.reset_config("profile").changed == ("profile", "near_duplicate_action")
    assert memory.config("near_duplicate_action", "minTrust").settings == {
        "near_duplicate_action": "keep",
        "min_trust": 0.2,
    }
    assert memory.reset_config().changed == ("min_trust",)
    assert memory.reset_config().changed == ()


def test_each_change_leaves_one_event_and_no_change_none(memory: Memory, sql: Sql) -> None:
    for value in ("0.2", "0.2", "0.3"):
        memory.set_config("min_trust", value)
    events = sql("SELECT action, entry_id, actor, detail FROM audit_log ORDER BY id")
    assert events == [
        ("CONFIG", None, "user", '{"min_trust":{"from":0.0,"to":0.2}}'),
        ("CONFIG", None, "user", '{"min_trust":{"from":0.2,"to":0.3}}'),
    ]
    assert sql("SELECT count(*) FROM changes") == [(0,)]


@pytest.mark.parametrize("text", ["{broken", "[1]", '"text"', ""])
def test_a_broken_file_is_never_written_over(memory: Memory, file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    for change in (lambda: memory.set_config("min_trust", 0.2), memory.reset_config):
        with pytest.raises(Refused, match="cannot be read and was left as it is"):
            change()
    assert file.read_text("utf-8") == text
    assert memory.config().settings == Preferences().model_dump(mode="json")


def test_a_link_to_the_file_stays_a_link(memory: Memory, file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}", "utf-8")
    file.parent.mkdir()
    file.symlink_to(kept)
    memory.set_config("min_trust", 0.2)
    assert file.is_symlink()
    assert json.loads(kept.read_text("utf-8")) == {"min_trust": 0.2}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_named(memory: Memory, file: Path) -> None:
    memory.set_config("min_trust", 0.1)
    file.parent.chmod(0o500)
    try:
        with pytest.raises(Refused, match=r"config.json cannot be written"):
            memory.set_config("min_trust", 0.2)
    finally:
        file.parent.chmod(0o700)
    assert memory.config("min_trust").settings == {"min_trust": 0.1}


def test_a_change_by_another_program_holds_at_the_next_call(memory: Memory, file: Path) -> None:
    assert memory.config("min_trust").settings == {"min_trust": 0.0}
    other = Memory(Settings(home=file.parent, database=file.parent / "facts.db"))
    other.set_config("min_trust", 0.4)
    other.close()
    assert memory.config("min_trust").settings == {"min_trust": 0.4}
    file.unlink()
    assert memory.config("min_trust").settings == {"min_trust": 0.0}


def test_the_status_tells_what_differs_from_the_defaults(memory: Memory) -> None:
    assert "settings" not in memory.status().as_json()
    memory.set_config("auto_dream_days", 0)
    assert memory.status().settings == {"auto_dream_days": 0}
