"""How long a client waits: process start → answered `initialize`, and → answered `tools/list`.

`mnemo serve` stands beside the smallest server the SDK allows, started in turns (A B A B …) in the
same run, over raw pipes; what counts is the ratio, since machines differ. The resident memory of
the idle server is read from /proc where there is one.

    python -m bench.startup [--runs 15] [--facts 10000] [--json]
"""

import argparse
import json
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bench.servers import INITIALIZE, MNEMO, SMALLEST, connected, scratch_environment

SERVERS = {"mnemo": MNEMO, "smallest": SMALLEST}
BUDGETS = {"initialize": 1.10, "memory": 1.10}

# An idle server has done what it does after the first message by then.
SETTLE_SECONDS = 2.0
MEMORY_RUNS = 3

# One call of `add` takes no more.
CONTENTS_PER_CALL = 200


@dataclass
class Measured:
    """What was seen of one server; times in milliseconds, memory in MiB."""

    initialize: list[float] = field(default_factory=list)
    tools_list: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)

    def time_start(self, command: list[str], environment: dict[str, str]) -> None:
        begun = time.perf_counter()
        with connected(command, environment) as connection:
            connection.request("initialize", INITIALIZE)
            self.initialize.append((time.perf_counter() - begun) * 1000)
            connection.notify("notifications/initialized")
            connection.request("tools/list", {})
            self.tools_list.append((time.perf_counter() - begun) * 1000)

    def weigh(self, command: list[str], environment: dict[str, str]) -> None:
        with connected(command, environment) as connection:
            connection.request("initialize", INITIALIZE)
            connection.notify("notifications/initialized")
            connection.request("tools/list", {})
            time.sleep(SETTLE_SECONDS)
            if (resident := connection.resident_mib()) is not None:
                self.memory.append(resident)

    def summed_up(self, by: Callable[[list[float]], float]) -> dict[str, float]:
        samples = {
            "initialize": self.initialize,
            "tools/list": self.tools_list,
            "memory": self.memory,
        }
        return {name: round(by(values), 1) for name, values in samples.items() if values}


def texts(count: int) -> Iterator[str]:
    """`count` different facts, every third one Chinese; the same ones every time."""
    choose = random.Random(7).choice
    tools = ["ruff", "pytest", "docker", "neovim", "sqlite", "nginx", "kafka", "postgres"]
    acts = ["prefers", "avoids", "configures", "documents", "reviews", "deploys"]
    places = ["staging", "the build farm", "every project", "the laptop", "production"]
    chinese = ["每周检查", "优先使用", "不再维护", "负责部署", "正在迁移"]
    for number in range(count):
        if number % 3:
            yield f"The team {choose(acts)} {choose(tools)} on {choose(places)}, note {number}"
        else:
            yield f"团队{choose(chinese)} {choose(tools)} 的配置，编号 {number}"


def fill(environment: dict[str, str], count: int) -> None:
    with connected(SERVERS["mnemo"], environment) as connection:
        connection.request("initialize", INITIALIZE)
        connection.notify("notifications/initialized")
        remaining = texts(count)
        while contents := list(islice(remaining, CONTENTS_PER_CALL)):
            arguments = {"action": "add", "contents": contents}
            result = connection.request(
                "tools/call", {"name": "fact_store", "arguments": arguments}
            )
            if result.get("isError"):
                raise RuntimeError(result["content"][0]["text"])


def measure(*, runs: int, facts: int) -> dict[str, Measured]:
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as home:
        environment = scratch_environment(home)
        if facts:
            fill(environment, facts)
        for command in SERVERS.values():
            Measured().time_start(command, environment)  # compiles what was never imported before
        measured = {name: Measured() for name in SERVERS}
        for _ in range(runs):
            for name, command in SERVERS.items():
                measured[name].time_start(command, environment)
        for _ in range(MEMORY_RUNS):
            for name, command in SERVERS.items():
                measured[name].weigh(command, environment)
    return measured


def report(measured: dict[str, Measured], *, runs: int, facts: int) -> dict[str, Any]:
    medians = {name: seen.summed_up(statistics.median) for name, seen in measured.items()}
    ours, theirs = medians["mnemo"], medians["smallest"]
    return {
        "bench": "startup",
        "python": platform.python_version(),
        "runs": runs,
        "facts": facts,
        "medians": medians,
        "fastest": {name: seen.summed_up(min) for name, seen in measured.items()},
        "ratios": {what: round(ours[what] / theirs[what], 3) for what in ours},
        "budgets": BUDGETS,
    }


def table(figures: dict[str, Any]) -> str:
    ours, theirs = figures["medians"]["mnemo"], figures["medians"]["smallest"]
    settings = f"{figures['facts']} facts, {figures['runs']} runs, Python {figures['python']}"
    lines = [f"{settings:32}{'mnemo':>10}{'smallest':>10}{'ratio':>8}{'budget':>8}"]
    for what, ratio in figures["ratios"].items():
        label = "memory, idle (MiB)" if what == "memory" else f"start → {what} (ms)"
        budget = f"{BUDGETS[what]:.2f}" if what in BUDGETS else ""
        lines.append(f"{label:32}{ours[what]:>10.1f}{theirs[what]:>10.1f}{ratio:>8.3f}{budget:>8}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="start-up of mnemo beside the smallest server")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--facts", type=int, default=0, help="how many facts the store holds")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = measure(runs=options.runs, facts=options.facts)
    figures = report(measured, runs=options.runs, facts=options.facts)
    print(json.dumps(figures) if options.json else table(figures))


if __name__ == "__main__":
    main()
