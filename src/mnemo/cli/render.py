"""Answers for a person.

Shows what the JSON answer holds, and names the command that comes next where there is one. Stored
text is shown on one line, without characters that drive a terminal.
"""

from collections.abc import Callable
from typing import Any, cast

from click import echo

from mnemo.cli.dreams import show_dream
from mnemo.cli.tables import show_table
from mnemo.errors import no_such_fact
from mnemo.text.shown import one_line
from mnemo.times import parse

Answer = dict[str, Any]


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
    told = [key for key in ("via", "covered") if any(key in hit for hit in hits)]
    head = ["id", "score", "trust", "category", *told, "fact"]
    rows: list[list[Any]] = []
    for hit in hits:
        rows.append(
            [
                hit["factId"],
                f"{hit['score']:.3f}",
                f"{hit['trustScore']:.2f}",
                hit["category"],
                *(_told(hit.get(key, "")) for key in told),
                hit.get("content") or hit["display"],
            ]
        )
        if explained:
            parts = ", ".join(f"{label} {_part(hit[name])}" for name, label in _PARTS.items())
            rows.append([*[""] * (len(head) - 1), f"  {parts}"])
    show_table(head, rows)
    _show_remarks(answer)


_PARTS = {
    "fts": "fts",
    "jaccard": "jaccard",
    "relevance": "relevance",
    "penalty": "length counts",
    "match_on": "ranked on its",
}


def _part(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _told(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


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
    show_table(["id", "trust", "category", "helped", "", "fact"], rows)
    echo(f"{answer['count']} of {answer['total']}")
    _show_remarks(answer)


def _show_whole(answer: Answer) -> None:
    """Each fact with everything that is known about it, a line each."""
    for fact in answer["facts"]:
        echo(f"fact {fact['fact_id']}: {one_line(fact['content'])}")
        for name, value in fact.items():
            if name in ("fact_id", "content") or value in (None, [], "", False):
                continue
            echo(f"  {_LABELS.get(name, name.replace('_', ' '))}: {_value(name, value)}")
    if missing := answer.get("missing"):
        error = no_such_fact(*missing)
        answer = answer | {"notes": [n for n in answer["notes"] if n != error.message]}
        echo(f"error: {error.message} ({error.hint})", err=True)
    _show_remarks(answer)


def _marks(fact: Answer) -> str:
    marks = [*(["pinned"] if fact["pinned"] else ()), *fact["flags"]]
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
            echo(one_line(f"error: {result['error']} ({result['hint']})"), err=True)
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


_LABELS = {
    "db_path": "database",
    "log_rows": "searches logged",
    "index_pending": "facts that wait for the index",
    "last_learn_at": "last learned",
    "last_dream_at": "last dreamed",
    "trust_score": "trust",
    "retrieval_count": "times recalled",
    "helpful_count": "times helpful",
    "unhelpful_count": "times unhelpful",
    "last_retrieved_at": "last recalled",
    "created_at": "stored",
    "updated_at": "changed",
    "status_reason": "because",
    "pin_reason": "pinned because",
    "memory_class": "class",
    "source_ref": "source",
    "project_id": "project",
    "summary_source": "summary by",
    "flags": "flagged",
    "absorbed": "took in facts",
    "merged_into": "merged into fact",
    "category_locked": "category set by hand",
    # Of events.
    "origin": "from",
    "target": "to",
    "ids": "facts",
    "trust_delta": "trust",
}


def _value(name: str, value: Any) -> str:
    """A value as a person reads it: moments in their zone, figures rounded."""
    if isinstance(value, dict):
        pairs = cast("Answer", value)
        if pairs.keys() == {"from", "to"}:
            return f"{_value(name, pairs['from'])} → {_value(name, pairs['to'])}"
        return ", ".join(f"{key} {_value(key, item)}" for key, item in pairs.items()) or "none"
    if isinstance(value, list):
        return ", ".join(_value(name, item) for item in cast("list[Any]", value)) or "none"
    if name.endswith("_at"):
        return local(value) if value else "never"
    if value in (None, ""):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.2f}" if isinstance(value, float) else one_line(str(value))


def _show_remarks(answer: Answer) -> None:
    for name in ("note", "notes", "warnings", "hints"):
        remarks = answer.get(name, ())
        for remark in [remarks] if isinstance(remarks, str) else remarks:
            echo(f"  {one_line(remark)}")
    for other in answer.get("similar_to", ()):
        echo(f"  much like fact {other['fact_id']}: {_closeness(other['similarity'])}")
    for other in answer.get("conflicts_with", ()):
        echo(f"  contradicts fact {other['fact_id']}: {one_line(other['contrast'])}")


def _closeness(similarity: float) -> str:
    """What the figure of two close facts counts; a dream counts otherwise, in all their words."""
    if similarity >= 1:
        return "all words of the shorter one are in both"
    return f"{similarity:.0%} of the words of the shorter one are in both"


def _show_pairs(answer: Answer) -> None:
    for name, value in answer.items():
        echo(f"{_LABELS.get(name, name.replace('_', ' '))}: {_value(name, value)}")


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
    show_table(["when", "kind", "size", "facts", "name"], rows)
    echo(f"in {answer['folder']}")


def _show_restored_backup(answer: Answer) -> None:
    *what, database = restoring_lines(answer)
    for line in what:
        echo(line)
    if answer["restored"]:
        echo("  the journal, too, is the backup's: undo knows what it knew then")
    if answer["replaced"]:
        echo(f"what was there: {answer['replaced']}")
    echo(database)


def restoring_lines(answer: Answer) -> tuple[str, str, str]:
    """What came back or would, what it stands in for, and where."""
    verb = "restored" if answer["restored"] else "would restore"
    what = f"{verb} {facts(answer['facts'])} of {local(answer['created_at'])}"
    lost = f"{answer['newer']} newer, {answer['changed']} changed left behind"
    return what, f"  in place of {answer['facts_before']}: {lost}", f"database: {answer['db_path']}"


def facts(count: int) -> str:
    """So many facts, in words."""
    return f"{count} fact" if count == 1 else f"{count} facts"


def local(moment: str) -> str:
    """A moment of an answer in the zone of the person; what is none stays as it is."""
    known = parse(moment)
    return moment if known is None else known.astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


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
    field = change["field"]
    was, now = _value(field, change["from"]), _value(field, change["to"])
    name = _LABELS.get(field, field.replace("_", " "))
    return f"{name} {now}" if change["from"] is None else f"{name} {was} → {now}"


def _show_events(answer: Answer) -> None:
    if not (answer["groups"] if "groups" in answer else answer["events"]):
        echo("no events")
        _show_remarks(answer)
        return
    if "groups" in answer:
        show_table(["count", "of"], [[group["count"], group["key"]] for group in answer["groups"]])
        return
    rows = [
        [local(e["t"]), e["op"] or "", e["actor"] or "", e["action"], e["entry_id"] or "",
         _detail(e["detail"])]
        for e in answer["events"]
    ]  # fmt: skip
    show_table(["when", "operation", "who", "what", "fact", "in detail"], rows)
    echo(f"{answer['count']} of {answer['total']}")
    _show_remarks(answer)


def _detail(detail: Any) -> str:
    if not isinstance(detail, dict):
        return str(detail)
    return ", ".join(
        f"{_LABELS.get(name, name.replace('_', ' '))} {_value(name, value)}"
        for name, value in cast("Answer", detail).items()
    )


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
    **dict.fromkeys(("search", "probe", "related", "reason"), _show_search),
    "get": _show_whole,
    "list": _show_facts,
    "dream": show_dream,
    "learn": _show_learn,
    "undo": _show_undo,
    "redo": _show_undo,
    "events": _show_events,
    "history": _show_history,
    "backups": _show_backups,
    "restore-backup": _show_restored_backup,
    **dict.fromkeys(("add", "update", "remove", "restore"), _show_results),
    **dict.fromkeys(("pin", "unpin", "helpful", "unhelpful"), _show_results),
}
