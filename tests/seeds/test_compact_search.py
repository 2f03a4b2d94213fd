"""Compact search: what a hit shows of a fact, and what it leaves out."""

import pytest

from tests.doors import Door

pytestmark = pytest.mark.process


def test_a_fact_with_a_summary_is_shown_by_its_summary(door: Door) -> None:
    """WHEN a search finds a fact that has a summary, THEN the hit displays exactly that summary,
    and the content of the fact is nowhere in the hit.
    """
    content = "The staging gateway listens on port 8443 and restarts every night after the backup."
    door.call("add", content=content, summary="Staging gateway: port 8443")

    (hit,) = door.call("search", query="staging gateway")["results"]

    assert hit["display"] == "Staging gateway: port 8443"
    assert "content" not in hit
    assert content not in map(str, hit.values())


def test_a_fact_without_a_summary_is_shown_by_its_first_hundred_characters(door: Door) -> None:
    """WHEN a search finds facts that have no summary, THEN a content of 250 characters is displayed
    as its first 100 characters and three dots, and a content of 100 characters or fewer as it is,
    without dots.
    """
    opening = "部署说明：发布之前先在测试环境跑一遍回归，确认日志里没有新的告警，再通知值班同事。"
    long = (opening * 7)[:250]
    whole = ("发布窗口是每周四的下午，" + opening * 3)[:100]
    for content in (long, whole, "发布负责人是王敏"):
        door.call("add", content=content)

    hits = door.call("search", query="发布")["results"]

    assert {hit["factId"]: hit["display"] for hit in hits} == {
        1: long[:100] + "...",
        2: whole,
        3: "发布负责人是王敏",
    }


def test_a_hit_has_five_keys_and_no_more(door: Door) -> None:
    """WHEN a search finds facts of several kinds (long, with a summary, with tags), THEN every hit
    has exactly the keys factId, display, category, trustScore and score.
    """
    door.call("add", content="User prefers VS Code with the Vim keymap", category="tool_pref")
    door.call("add", content="VS Code is set to format on save. " * 20, summary="VS Code formats")
    door.call("add", content="Screencasts are recorded in VS Code", tags="video,teaching")

    reply = door.call("search", query="VS Code")

    assert reply["count"] == 3
    for hit in reply["results"]:
        assert set(hit) == {"factId", "display", "category", "trustScore", "score"}
