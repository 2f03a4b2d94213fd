"""Plans that were shown and may still be carried out: small files, the newest ten.

A proposal lies among the caches and not in the database, since to look at a plan must not change a
byte of the store. It names facts and numbers and holds no stored text: of each fact a fingerprint
that tells whether it changed, of a summary only whose it is, for it follows from the text. What
must hold: the same plan over the same facts has the same id.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mnemo.dream.plan import Compression, Merge, Move, Plan
from mnemo.errors import InvalidInput, NotFound

KEPT = 10
_ID = re.compile(r"p-[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan, the fingerprints of its facts, and how many facts it would leave as they are though
    they stand in a conflict or have a double. Read from a file, its summaries are empty.
    """

    plan: Plan
    seen: Mapping[int, str]
    in_conflict: int = 0
    doubles: int = 0

    def without(self, numbers: Sequence[int]) -> "Proposal":
        """The rest of the proposal.

        Raises InvalidInput for a number that no step has.
        """
        steps = {step.step: step for step in self.plan.steps}
        unknown = [str(number) for number in numbers if number not in steps]
        if unknown:
            raise InvalidInput(
                f"the plan has no step {', '.join(unknown)}; nothing was done",
                hint=f"its steps are 1 to {len(steps)}",
            )
        return replace(self, plan=self.plan.without({steps[number] for number in numbers}))


class Proposals:
    """The proposals in one folder, for one database."""

    def __init__(self, folder: Path, database: Path) -> None:
        self._folder = folder
        self._database = str(database)

    def keep(self, proposal: Proposal) -> str:
        """Keep a proposal; comes back with its id.

        Raises OSError where the folder cannot be written.
        """
        text = json.dumps(self._as_json(proposal), separators=(",", ":"), sort_keys=True)
        name = "p-" + hashlib.blake2b(text.encode(), digest_size=3).hexdigest()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._folder / f"{name}.json"
        begun = self._folder / f"{name}.{os.getpid()}"
        descriptor = os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as out:  # noqa: PTH123
            out.write(text)
        begun.replace(file)
        for outdated in sorted(self._folder.glob("p-*.json"), key=_age)[:-KEPT]:
            outdated.unlink(missing_ok=True)
        return name

    def find(self, name: str) -> Proposal:
        """The proposal of that id.

        Raises NotFound where there is none, or none any more, or it is of another database.
        """
        name = name.strip().lower()
        kept: dict[str, Any] = {}
        if _ID.fullmatch(name):
            with contextlib.suppress(OSError, ValueError):
                kept = json.loads((self._folder / f"{name}.json").read_text("utf-8"))
        if not kept or kept.get("database") != self._database:
            raise NotFound(
                f"there is no plan {name} any more"
                if _ID.fullmatch(name)
                else f"there is no plan {name!r}",
                hint=f"the dry run of a dream makes one and names it; the newest {KEPT} are kept",
            )
        return _from_json(kept)

    def _as_json(self, proposal: Proposal) -> dict[str, Any]:
        plan = proposal.plan
        return {
            "database": self._database,
            "moves": [[m.fact_id, m.origin, m.target, m.keyword] for m in plan.moves],
            "merges": [[m.kept, m.removed, m.similarity] for m in plan.merges],
            "compressions": [c.fact_id for c in plan.compressions],
            "seen": {str(fact_id): print_ for fact_id, print_ in proposal.seen.items()},
            "in_conflict": proposal.in_conflict,
            "doubles": proposal.doubles,
        }


def _from_json(kept: Mapping[str, Any]) -> Proposal:
    plan = Plan(
        moves=tuple(Move(*values) for values in kept["moves"]),
        merges=tuple(Merge(*values) for values in kept["merges"]),
        compressions=tuple(Compression(fact_id, "") for fact_id in kept["compressions"]),
    )
    return Proposal(
        plan.numbered(),
        {int(fact_id): print_ for fact_id, print_ in kept["seen"].items()},
        kept["in_conflict"],
        kept["doubles"],
    )


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0  # another process was a moment quicker
