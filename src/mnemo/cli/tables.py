"""Tables for a person: through rich on a terminal, plain columns elsewhere."""

import contextlib
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from click import echo

from mnemo.text.shown import one_line

_BORDER = 3  # columns between two columns of a table
_LAST_LEAST = 24  # columns for the last column, which holds the text


def show_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print the rows below their heads; the last column may be of any length."""
    cells = [[one_line(str(cell)) for cell in row] for row in rows]
    if sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            _rich_table(head, cells)
            return
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    for row in [list(head), *cells]:
        echo("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())


def _rich_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len, set_cell_size
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)][:-1]
    if console.width - sum(widths) - _BORDER * len(head) < _LAST_LEAST:
        # There is no room for it beside the others, so it goes below them.
        for *others, last in [list(head), *rows]:
            beside = "  ".join(map(set_cell_size, others, widths)).rstrip()
            for line in (beside, f"    {last}" if last else ""):
                if line:
                    console.print(Text(line), soft_wrap=True)
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in head[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(head[-1], overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
