"""The command ``mnemo``: its group, and the one place where a failure becomes an exit code."""

import os
import sys

import click

from mnemo import __version__
from mnemo.cli import administration, config, entities, facts, past, upkeep
from mnemo.errors import MnemoError

# Names that the two ancestors gave to the same commands.
_OTHER_NAMES = {
    "observe": "add",
    "query": "search",
    "entries": "list",
    "edit": "update",
    "review": "audit",
}


class _Commands(click.Group):
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, _OTHER_NAMES.get(cmd_name, cmd_name))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mnemo")
def cli() -> None:
    """The memory of your coding agents: short facts in one file on this machine."""


for _room in (facts, entities, past, upkeep, config, administration):
    for _command in _room.COMMANDS:
        cli.add_command(_command)


def main() -> None:
    """Run the command line; every failure is one line on stderr."""
    for name in ("stdout", "stderr"):
        # Where a stream is closed, what is said is not heard; a terminal that cannot show a
        # character gets an escape. Neither is a crash.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        getattr(sys, name).reconfigure(errors="backslashreplace")
    code: object = 0
    try:
        code = cli(prog_name="mnemo", standalone_mode=False)
    except MnemoError as error:
        sys.exit(_failed(error.message, error.hint, error.exit_code))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
    except click.ClickException as error:
        sys.exit(_failed(error.format_message(), _usage_hint(error), error.exit_code))
    except click.Abort:
        sys.exit(_failed("interrupted", "", 130))
    except BrokenPipeError:
        # Whoever read has gone; what is still unsaid has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    except (OSError, UnicodeError) as error:
        sys.exit(_failed(f"{type(error).__name__}: {error}", "", 1))
    sys.exit(code if isinstance(code, int) else 0)


def _usage_hint(error: click.ClickException) -> str:
    """What to do about a wrong command line: a text may well begin with a dash."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return "mnemo --help"
    takes_text = any(parameter.nargs == -1 for parameter in context.command.params)
    if isinstance(error, click.NoSuchOption) and takes_text:
        return f"quote the text, or put -- before it; {context.command_path} --help"
    return f"{context.command_path} --help"


def _failed(message: str, hint: str, code: int) -> int:
    from mnemo.text.secrets import redact  # only where something failed
    from mnemo.text.shown import one_line

    line = f"error: {message}" + (f" ({hint})" if hint else "")
    click.echo(one_line(redact(line)), err=True)
    return code
