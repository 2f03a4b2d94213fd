import json

from mnemo.replies import CONTENT_CHARS, MAX_BYTES, MAX_CHARS, fitted


def facts(number: int, content: str) -> list[dict[str, object]]:
    return [{"fact_id": i, "content": content} for i in range(1, number + 1)]


def test_a_short_answer_is_left_as_it_is() -> None:
    answer = {"facts": facts(2, "short"), "count": 2, "total": 2}
    assert fitted(json.loads(json.dumps(answer))) == answer


def test_a_long_list_is_cut_at_its_end_and_the_answer_says_so() -> None:
    answer = fitted({"facts": facts(500, "中文" * 200), "count": 500, "total": 500})
    text = json.dumps(answer, ensure_ascii=False)
    assert len(text) <= MAX_CHARS
    assert len(text.encode()) <= MAX_BYTES
    assert 0 < answer["count"] == len(answer["facts"]) < 500
    assert answer["total"] == 500
    assert any("offset" in note for note in answer["notes"])


def test_a_long_content_is_shown_in_parts_that_join_to_the_whole() -> None:
    content = "".join(chr(0x4E00 + i % 5000) for i in range(20_000))
    first = fitted({"facts": facts(1, content), "count": 1, "total": 1})["facts"][0]
    assert first["content"] == content[:CONTENT_CHARS]
    rest = content[first["content_next"] :]
    second = fitted({"facts": facts(1, rest), "count": 1, "total": 1}, content_offset=12_000)
    assert "content_next" not in second["facts"][0]
    assert first["content"] + second["facts"][0]["content"] == content
