"""What mnemo does by itself after a server has started: learn, and dream when that is due.

It runs in its own thread with its own connection, begun by the client's first message after the
handshake, so no answer waits for it. One process at a time dreams. It stops at the next
transaction boundary when it is told to, and it never fails a server: one line on stderr says what
came of it. Learning needs no lock between processes: nothing is judged twice.
"""

import threading
from collections.abc import Callable

from mnemo.enums import Actor
from mnemo.errors import MnemoError, Stopped
from mnemo.memory import Memory
from mnemo.settings import Settings


def run_after_startup(
    settings: Settings,
    stop: threading.Event,
    *,
    say: Callable[[str], None],
) -> None:
    """Learn, then dream if the last dream, or the first start, is long enough ago.

    ``say`` is given a line about what came of it.
    """
    if not settings.automatic:
        return

    memory = Memory(settings, actor=Actor.SYSTEM, stop=stop)
    try:
        learned = memory.learn()
        say(
            f"mnemo: learned after startup: {learned.promoted} promoted, {learned.demoted} "
            f"demoted, {learned.aged} aged, {learned.unchanged} unchanged"
        )
        memory.catch_up()
        memory.forget_old_operations()
        days = settings.preferences.auto_dream_days
        if days and not stop.is_set() and memory.is_due("dream", days=days):
            dreamed = memory.dream()
            say(
                f"mnemo: dreamed after startup: {dreamed.deleted} facts merged away, "
                f"{dreamed.compressed} summarised, {dreamed.reclassified} moved"
            )
    except Stopped:
        say("mnemo: upkeep after startup ended with the server; what it did is kept")
    except MnemoError as error:
        say(f"mnemo: upkeep after startup stopped: {error.message}")
    except Exception as error:
        say(f"mnemo: upkeep after startup failed: {type(error).__name__}: {error}")
    finally:
        memory.close()
