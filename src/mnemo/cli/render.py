"""Answers for a person: tables through rich on a terminal, plain columns elsewhere.

Shows what the JSON answer holds and adds nothing. Stored text is shown on one line, without
characters that drive a terminal.
"""

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, cast

from click import echo

from mnemo.cli.comparing import show_comparison
from mnemo.cli.dreams import show_dream
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
        _show_remarks(answer)
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


def _show_learn(answer: Answer) -> None:
    echo(
        f"{answer['promoted']} promoted, {answer['demoted']} demoted, {answer['aged']} aged, "
        f"{answer['unchanged']} unchanged"
    )
    for change in answer.get("changes", ()):
        echo(
            f"  fact {change['id']}: {change['old_trust']:.2f} to {change['new_trust']:.2f} "
            f"({change['rule']}: {change['reason']})"
        )
    for fact in answer["long_facts"]:
        echo(
            f"  fact {fact['id']} is long: {fact['content_length']} characters, "
            f"its score counts {fact['penalty']:.0%}"
        )


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
    if "pinned" in result:
        return f"fact {number} is {'pinned' if result['pinned'] else 'not pinned'}"
    if "updated" in result:
        return f"fact {number} {'updated' if result['updated'] else 'unchanged'}"
    told_as = f" as {result['memory_class']}" if "memory_class" in result else ""
    return f"fact {number} {result['status']} in {result['category']}{told_as}"


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
        elif isinstance(value, list):
            value = "; ".join(map(str, cast("list[Any]", value)))
        echo(f"{name.replace('_', ' ')}: {value}")


def _show_backups(answer: Answer) -> None:
    if not answer["backups"]:
        echo(f"no backups in {answer['folder']}")
        return
    rows = [
        [
            local(backup["created_at"]),
            backup["kind"],
            f"{backup['size'] / 1e6:.1f} MB",
            backup["facts"] if backup["sound"] else "damaged",
            backup["name"],
        ]
        for backup in answer["backups"]
    ]
    _table(["when", "kind", "size", "facts", "name"], rows)
    echo(f"in {answer['folder']}")


def _show_restored_backup(answer: Answer) -> None:
    verb = "restored" if answer["restored"] else "would restore"
    echo(f"{verb} {facts(answer['facts'])} of {local(answer['created_at'])}")
    echo(f"  in place of {answer['facts_before']}: {answer['newer']} newer, ", nl=False)
    echo(f"{answer['changed']} changed left behind")
    if answer["restored"]:
        echo("  the journal, too, is the backup's: undo knows what it knew then")
    if answer["replaced"]:
        echo(f"what was there: {answer['replaced']}")
    echo(f"database: {answer['db_path']}")


def facts(count: int) -> str:
    """So many facts, in words."""
    return f"{count} fact" if count == 1 else f"{count} facts"


def local(moment: str) -> str:
    """A moment of an answer in the zone of the person."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


def _show_undo(answer: Answer) -> None:
    done = "brings" if answer.get("redone") else "takes"
    if not answer.get("dry_run"):
        done = "brought" if answer.get("redone") else "took"
    said = f"would {done.removesuffix('s')}" if answer.get("dry_run") else done
    echo(
        f"{said} back {answer.get('redone') or answer['undone']} ({answer['kind']} by "
        f"{answer['actor']}, {local(answer['at'])}): {facts(answer['count'])}"
    )
    for fact in answer.get("changes", ()):
        for change in fact["changes"]:
            echo(f"  fact {fact['fact_id']}: {_change(change)}")
    if answer["count"] > len(answer.get("changes", ())):
        echo(f"  and {answer['count'] - len(answer.get('changes', ()))} more")
    for fact in answer.get("blocked", ()):
        echo(f"  left as it is: fact {fact['fact_id']}, which {fact['reason']}")
    if op := answer.get("op"):
        echo(f"mnemo undo {op} takes that back")
    _show_remarks(answer)


def _change(change: Answer) -> str:
    was, now = (one_line("nothing" if v in (None, "") else str(v)) for v in _ends(change))
    name = change["field"].replace("_", " ")
    return f"{name} {now}" if change["from"] is None else f"{name} {was} → {now}"


def _ends(change: Answer) -> tuple[Any, Any]:
    return change["from"], change["to"]


def _show_events(answer: Answer) -> None:
    if "groups" in answer:
        _table(["count", "of"], [[group["count"], group["key"]] for group in answer["groups"]])
        return
    rows = [
        [local(e["t"]), e["op"] or "", e["actor"] or "", e["action"], e["entry_id"] or "",
         _detail(e["detail"])]
        for e in answer["events"]
    ]  # fmt: skip
    _table(["when", "operation", "who", "what", "fact", ""], rows)
    echo(f"{answer['count']} of {answer['total']}")
    _show_remarks(answer)


def _detail(detail: Any) -> str:
    if not isinstance(detail, dict):
        return str(detail)
    return ", ".join(f"{name} {_from_to(value)}" for name, value in cast("Answer", detail).items())


def _from_to(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ends = cast("Answer", value)
    return f"{ends['from']} → {ends['to']}" if ends.keys() == {"from", "to"} else ends


def _show_history(answer: Answer) -> None:
    echo(f"fact {answer['fact_id']} ({answer['status']}): {one_line(answer['content'])}")
    _show_remarks(answer)
    for entry in answer["history"]:
        undone = f", undone by {entry['undone_by']}" if "undone_by" in entry else ""
        undoes = f" of {entry['undoes']}" if "undoes" in entry else ""
        reason = f": {one_line(entry['reason'])}" if "reason" in entry and not undoes else ""
        echo(
            f"{local(entry['t'])}  {entry['op']} {entry['kind']}{undoes} by {entry['actor']}"
            f"{undone}{reason}"
        )
        for change in entry.get("changes", ()):
            echo(f"    {_change(change)}")
        if took_in := entry.get("took_in"):
            echo(f"    took in fact {', '.join(map(str, took_in))}")
    recalls = answer["recalls"]
    last = f", last {local(recalls['last'])}" if recalls["last"] else ""
    times = "once" if recalls["count"] == 1 else f"{recalls['count']} times"
    echo(f"recalled {times}{last}" if recalls["count"] else "never recalled")


_RENDERERS: dict[str, Callable[[Answer], None]] = {
    "search": _show_search,
    "get": _show_whole,
    "list": _show_facts,
    "dream": show_dream,
    "learn": _show_learn,
    "undo": _show_undo,
    "redo": _show_undo,
    "events": _show_events,
    "history": _show_history,
    "compare": show_comparison,
    "backups": _show_backups,
    "restore-backup": _show_restored_backup,
    **dict.fromkeys(("add", "update", "remove", "restore"), _show_results),
    **dict.fromkeys(("pin", "unpin", "helpful", "unhelpful"), _show_results),
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
