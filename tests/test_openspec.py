"""The specification, the tests of its scenarios and the page of differences agree with each
other.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPECS = sorted((ROOT / "openspec" / "specs").glob("*/spec.md"))
SEEDS = sorted((ROOT / "tests" / "seeds").glob("test_*.py"))
DIFFERENCES = ROOT / "docs" / "differences.md"

SCENARIO = re.compile(
    r"^#### Scenario: (?P<name>.+)$\n+(?P<steps>(?:^(?:- |  ).+\n)+)", re.MULTILINE
)
TEST = re.compile(r"tests/[\w/]+\.py::test_\w+")


def written_in(path: Path) -> list[str]:
    """The tests of a file, named as pytest names them; one that has parameters is one test."""
    tree = ast.parse(path.read_text("utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [f"{path.relative_to(ROOT)}::{name}" for name in names if name.startswith("test_")]


def exists(test: str) -> bool:
    path = ROOT / test.partition("::")[0]
    return path.is_file() and test in written_in(path)


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.parent.name)
def test_every_scenario_ends_with_the_test_that_holds_it(spec: Path) -> None:
    text = spec.read_text("utf-8")
    scenarios = list(SCENARIO.finditer(text))
    assert len(scenarios) == len(re.findall(r"^#+ Scenario", text, re.MULTILINE)) > 0
    for scenario in scenarios:
        last = scenario["steps"].splitlines()[-1]
        test = TEST.search(last)
        assert last.startswith("- **TEST** "), scenario["name"]
        assert test, scenario["name"]
        assert exists(test[0]), f"{scenario['name']}: there is no {test[0]}"


def test_every_test_of_a_scenario_is_named_by_exactly_one() -> None:
    named = Counter(test for spec in SPECS for test in TEST.findall(spec.read_text("utf-8")))
    written = [test for path in SEEDS for test in written_in(path)]
    assert named == Counter(written)


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.parent.name)
def test_a_specification_bears_the_name_of_its_folder(spec: Path) -> None:
    title = spec.read_text("utf-8").splitlines()[0]
    assert title == f"# {spec.parent.name} Specification"


def test_there_is_one_file_of_tests_for_each_capability() -> None:
    capabilities = [spec.parent.name for spec in SPECS]
    assert [path.stem for path in SEEDS] == [
        "test_" + capability.replace("-", "_") for capability in capabilities
    ]


def test_the_tests_of_a_scenario_tell_it() -> None:
    for path in SEEDS:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                words = (ast.get_docstring(node) or "").split()
                assert {"WHEN", "THEN"} <= set(words), node.name


def test_every_difference_is_held_by_a_test() -> None:
    sections = DIFFERENCES.read_text("utf-8").split("\n**")[1:]
    assert sections
    for section in sections:
        tests = TEST.findall(section)
        assert tests, section.splitlines()[0]
        for test in tests:
            assert exists(test), f"there is no {test}"
