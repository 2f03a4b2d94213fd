import json
import logging
from pathlib import Path

import pytest

from mnemo.settings import NearDuplicateAction, Preferences, Settings


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
