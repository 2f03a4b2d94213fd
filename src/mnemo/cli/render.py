"""Answers for a person: tables through rich on a terminal, plain columns elsewhere.

Shows what the JSON answer holds and adds nothing. Stored text is shown on one line, without
characters that drive a terminal.
"""

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from click import echo

from mnemo.retriever.display import one_line

Answer = dict[str, Any]
Rows = Iterable[Sequence[Any]]


def renderer(action: str) -> Callable[[Answer], None]:
    """What prints the answer of that action."""
    return _RENDERERS.get(action, _show_pairs)


def _show_search(answer: Answer) -> None:
    hits = answer["results"]
    if not hits:
        echo("nothing found")
        return
    explained = "relevance" in hits[0]
    head = ["id", "score", *(_PARTS if explained else ()), "trust", "category", "fact"]
    rows = [
        [
            hit["factId"],
            f"{hit['score']:.3f}",
            *(_part(hit[name]) for name in (_PARTS if explained else ())),
            f"{hit['trustScore']:.2f}",
            hit["category"],
            hit.get("content") or hit["display"],
        ]
        for hit in hits
    ]
    _table(head, rows)
    _show_remarks(answer)


_PARTS = ("fts", "jaccard", "relevance", "penalty", "match_on")


def _part(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _show_facts(answer: Answer) -> None:
    if not answer["facts"]:
        echo("no facts")
        return
    rows = [
        [
            fact["fact_id"],
            f"{fact['trust_score']:.2f}",
            fact["category"],
            f"{fact['helpful_count']}/{fact['retrieval_count']}",
            _marks(fact),
            fact["content"],
        ]
        for fact in answer["facts"]
    ]
    _table(["id", "trust", "category", "helped", "", "fact"], rows)
    echo(f"{answer['count']} of {answer['total']}")
    _show_remarks(answer)


def _show_whole(answer: Answer) -> None:
    """Each fact with everything that is known about it, a line each."""
    for fact in answer["facts"]:
        echo(f"fact {fact['fact_id']}: {one_line(fact['content'])}")
        for name, value in fact.items():
            if name in ("fact_id", "content") or value in (None, [], "", False):
                continue
            items = cast("list[Any]", value) if isinstance(value, list) else [value]
            echo(f"  {name.replace('_', ' ')}: {one_line(', '.join(map(str, items)))}")
    _show_remarks(answer)


def _marks(fact: Answer) -> str:
    marks = ["pinned"] if fact["pinned"] else []
    if fact["status"] != "active":
        into = fact["merged_into"]
        marks.append(f"{fact['status']} into {into}" if into else fact["status"])
    return ", ".join(marks)


def _show_dream(answer: Answer) -> None:
    echo("what would change:" if answer["dry_run"] else "dreamed:")
    for pair in answer["merge_pairs"]:
        echo(f"  fact {pair['removed']} into fact {pair['kept']} ({pair['similarity']:.2f} alike)")
    for move in answer["reclassified_details"]:
        echo(f"  fact {move['id']} from {move['from']} to {move['to']} ({move['keyword']})")
    echo(
        f"  {answer['deleted']} merged away, {answer['compressed']} summarised, "
        f"{answer['reclassified']} moved"
    )
    for pair in answer["skipped_conflicts"]:
        contrast = pair["contrasts"][0]
        echo(
            f"  kept apart: facts {pair['a']} and {pair['b']} "
            f"({contrast['kind']}: {one_line(contrast['left'])} / {one_line(contrast['right'])})"
        )
    health = answer["health"]
    echo(
        f"{health['total']} facts, trust {health['avg_trust']:.2f} on average, "
        f"{health['avg_length']} characters on average, health {health['score']}/100"
    )
    if answer["backup"]:
        echo(f"backup: {answer['backup']}")
    echo(f"database: {answer['db_path']}")


def _show_learn(answer: Answer) -> None:
    echo(
        f"{answer['promoted']} promoted, {answer['demoted']} demoted, {answer['aged']} aged, "
        f"{answer['unchanged']} unchanged"
    )
    for change in answer.get("changes", ()):
        echo(
            f"  fact {change['id']}: {change['old_trust']:.2f} to {change['new_trust']:.2f} "
            f"({change['rule']})"
        )
    for fact in answer["long_facts"]:
        echo(
            f"  fact {fact['id']} is long: {fact['content_length']} characters, "
            f"its score counts {fact['penalty']:.0%}"
        )


def _show_audit(answer: Answer) -> None:
    echo(f"{answer['total_facts']} facts")
    for name, title in _FINDINGS.items():
        found = answer[name]
        if found:
            ids = ", ".join(str(fact["id"]) for fact in found[:20])
            more = f" and {len(found) - 20} more" if len(found) > 20 else ""
            echo(f"  {title}: {ids}{more}")
    _show_pairs(answer["stats"])


_FINDINGS = {
    "long_without_summary": "long, without a summary (mnemo update ID --summary …)",
    "low_helpful_rate": "often recalled, rarely helpful (mnemo feedback …, or mnemo remove ID)",
    "aging_candidates": "not recalled for over 60 days",
    "never_retrieved": "never recalled, over 60 days old",
    "low_trust": "trust below 0.20",
}


def _show_results(answer: Answer) -> None:
    for result in answer.get("results", (answer,)):
        if "error" in result:
            echo(f"error: {result['error']} ({result['hint']})", err=True)
        else:
            echo(_sentence(result))
            _show_remarks(result)


def _sentence(result: Answer) -> str:
    number = result["fact_id"]
    if "oldTrust" in result:
        return f"fact {number}: trust {result['oldTrust']:.2f} to {result['newTrust']:.2f}"
    if "restored" in result:
        return f"fact {number} is active again (was {result['from']})"
    if "removed" in result:
        return f"fact {number} removed; mnemo restore {number} brings it back"
    if "updated" in result:
        return f"fact {number} {'updated' if result['updated'] else 'unchanged'}"
    return f"fact {number} {result['status']} in {result['category']}"


def _show_remarks(answer: Answer) -> None:
    for name in ("note", "notes", "warnings", "hints"):
        remarks = answer.get(name, ())
        for remark in [remarks] if isinstance(remarks, str) else remarks:
            echo(f"  {remark}")
    for other in answer.get("similar_to", ()):
        echo(f"  much like fact {other['fact_id']} ({other['similarity']:.2f})")
    for other in answer.get("conflicts_with", ()):
        echo(f"  contradicts fact {other['fact_id']}: {one_line(other['contrast'])}")


def _show_pairs(answer: Answer) -> None:
    for name, value in answer.items():
        if isinstance(value, dict):
            counts = cast("dict[str, Any]", value)
            value = ", ".join(f"{key} {count}" for key, count in counts.items())
        echo(f"{name.replace('_', ' ')}: {value}")


_RENDERERS: dict[str, Callable[[Answer], None]] = {
    "search": _show_search,
    "get": _show_whole,
    "list": _show_facts,
    "dream": _show_dream,
    "learn": _show_learn,
    "audit": _show_audit,
    **dict.fromkeys(("add", "update", "remove", "restore", "helpful", "unhelpful"), _show_results),
}


def _table(head: Sequence[str], rows: Rows) -> None:
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
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in head[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(head[-1], overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)
