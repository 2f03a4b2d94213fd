"""What the pages for people promise is there: commands, options, targets, variables, files."""

import re
import shlex
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import click
import pytest

import mnemo
from mnemo.cli.main import cli

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "bench" / "README.md"],
)

FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

COMMAND_LINE = re.compile(r"""\bmnemo"?[ ]+([a-z]+(?:-[a-z]+)*)([^|>#\n]*)""")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
MAKE = re.compile(r"(?:^|\s)make ([a-z]+)\b")
VARIABLE = re.compile(r"\bMNEMO_[A-Z_]+\b")
SOMEBODYS_FOLDER = re.compile(r"/(?:home|Users|root|work|tmp)/\w+|[A-Z]:\\Users\\", re.ASCII)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def code_of(text: str) -> Iterator[str]:
    """Every line of a fenced block and every code span."""
    for block in FENCE.findall(text):
        yield from block.splitlines()
    yield from SPAN.findall(FENCE.sub("", text))


def command_lines(text: str) -> Iterator[tuple[str, str]]:
    for line in code_of(text):
        yield from COMMAND_LINE.findall(line)


def options_of(command: click.Command) -> set[str]:
    return {"--help"}.union(*(parameter.opts for parameter in command.params))


def anchors_of(text: str) -> set[str]:
    """The names that a heading is linked by: lower case, blanks as hyphens, no punctuation."""
    headings = HEADING.findall(FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    named = {name for name, _ in command_lines(page.read_text(encoding="utf-8"))}
    assert named <= set(cli.commands)


@every_page
def test_every_option_that_a_page_gives_to_a_command_exists(page: Path) -> None:
    for name, rest in command_lines(page.read_text(encoding="utf-8")):
        unknown = set(OPTION.findall(rest)) - options_of(cli.commands[name])
        assert not unknown, f"mnemo {name} has no {unknown}"


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_every_command_is_documented_in_the_readme(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    documented = {name for name, _ in command_lines(text)}
    assert documented == set(cli.commands)


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_every_option_in_the_readmes_table_belongs_to_its_command(page: str) -> None:
    rows = re.findall(
        r"^\| `mnemo ([a-z-]+)[^|]*\|(.*)\|$", (ROOT / page).read_text("utf-8"), re.MULTILINE
    )
    assert rows
    for name, row in rows:
        shown = set(OPTION.findall(row))
        assert shown <= options_of(cli.commands[name]), name


@every_page
def test_every_make_target_that_a_page_names_exists(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {
        target
        for line in code_of(page.read_text(encoding="utf-8"))
        for target in MAKE.findall(line)
    }
    assert named <= targets


@every_page
def test_every_variable_that_a_page_names_is_read_somewhere(page: Path) -> None:
    read = {
        name
        for folder in ("src", "tests", ".ci")
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and file.suffix in {"", ".py"} and file != Path(__file__)
        for name in VARIABLE.findall(file.read_text(encoding="utf-8"))
    }
    assert set(VARIABLE.findall(page.read_text(encoding="utf-8"))) <= read


@every_page
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors_of(file.read_text(encoding="utf-8")), target


@every_page
def test_no_page_shows_the_folders_of_somebodys_machine(page: Path) -> None:
    assert not SOMEBODYS_FOLDER.findall(page.read_text(encoding="utf-8"))


def test_package_changelog_and_installed_distribution_agree_on_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[?(\d+\.\d+\.\d+)", changelog, re.MULTILINE)
    assert newest
    assert newest[1] == mnemo.__version__ == version("mnemo-facts")


def test_the_two_readmes_have_the_same_sections_and_show_the_same_commands() -> None:
    def shape(page: str) -> tuple[int, set[str]]:
        text = (ROOT / page).read_text(encoding="utf-8")
        sections = HEADING.findall(FENCE.sub("", text))
        return len(sections), {name for name, _ in command_lines(text)}

    assert shape("README.md") == shape("README.zh-CN.md")


def test_the_crontab_line_names_the_program_by_an_absolute_path() -> None:
    [line] = re.findall(r"^30 3 \* \* \* (.+)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    program, command = shlex.split(line)[:2]
    assert Path(program).is_absolute()
    assert (Path(program).name, command) == ("mnemo", "dream")


def test_the_ancestors_names_for_a_command_are_understood() -> None:
    for name, command in {"observe": "add", "entries": "list", "review": "audit"}.items():
        context = click.Context(cli)
        assert cli.get_command(context, name) is cli.commands[command]
        assert name not in cli.list_commands(context)
