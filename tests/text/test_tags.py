import pytest

from mnemo.text.tags import without_generated


@pytest.mark.parametrize(
    ("tags", "content", "kept"),
    [
        ("主题,用户,户喜,喜欢,欢深,深色", "用户喜欢深色主题", "主题"),
        ("用户,户喜,喜欢", "用户喜欢深色主题", ""),
        ("python,ruff,编码,码规,规范", "编码规范：Python 用 ruff 检查", "python,ruff"),
        ("VS Code,主题", "用户偏好深色主题，编辑器是 VS Code", "VS Code,主题"),
        ("深色,用户", "用户喜欢深色主题", "深色,用户"),
        ("主题", "用户喜欢深色主题", "主题"),
        ("a,b,c", "a b c", "a,b,c"),
        ("", "anything", ""),
    ],
)
def test_only_the_tail_of_character_pairs_in_text_order_is_generated(
    tags: str, content: str, kept: str
) -> None:
    assert without_generated(tags, content) == kept
