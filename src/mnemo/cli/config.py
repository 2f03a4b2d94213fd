"""The command `config`: what is set, and how to set it otherwise."""

from collections.abc import Sequence

import click

from mnemo.cli.common import AsJson, echo_json, opened_memory


@click.group()
def config() -> None:
    """Show and change the settings."""


@config.command("get")
@click.argument("key", required=False)
@AsJson
def get_setting(key: str | None, as_json: bool) -> None:
    """Show one setting, or all, as they hold now."""
    with opened_memory() as memory:
        reply = memory.config(*([key] if key else []))
    if as_json:
        echo_json(reply.as_json())
        return
    for name, value in reply.settings.items():
        click.echo(value if key else f"{name}: {value}")


# A value may be a number below 0, which is refused with a reason rather than taken for an option.
@config.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("key")
@click.argument("value")
@AsJson
def set_setting(key: str, value: str, as_json: bool) -> None:
    """Set one; running servers follow at their next call."""
    with opened_memory() as memory:
        reply = memory.set_config(key, value)
    if as_json:
        echo_json(reply.as_json())
        return
    for name, held in reply.settings.items():
        click.echo(f"{name}: {held}" + ("" if reply.changed else " (as before)"))


@config.command("reset")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@AsJson
def reset_settings(keys: Sequence[str], as_json: bool) -> None:
    """Let the defaults hold again, of these settings or of all."""
    with opened_memory() as memory:
        reply = memory.reset_config(*keys)
    if as_json:
        echo_json(reply.as_json())
        return
    click.echo(f"reset: {', '.join(reply.changed)}" if reply.changed else "nothing was set")


@config.command("path")
@AsJson
def show_path(as_json: bool) -> None:
    """Show where the settings are written."""
    with opened_memory() as memory:
        path = memory.config().path
    if as_json:
        echo_json({"path": path})
    else:
        click.echo(path)


COMMANDS = (config,)
