"""How long one tool call takes over stdio: a search that finds nothing beside an echo.

Both servers answer the same raw pipe in turns, a block of calls each (A B A B …); what counts is
the ratio of the medians. The echo is a plain function in a worker thread, as the SDK runs one.

    python -m bench.roundtrip [--calls 1000] [--json]
"""

import argparse
import json
import platform
import statistics
import tempfile
import time
from contextlib import ExitStack
from typing import Any

from bench.servers import ECHO, INITIALIZE, MNEMO, Connection, connected, scratch_environment

SERVERS = {"mnemo": MNEMO, "echo": ECHO}
BUDGET = 1.3
BLOCK = 50
CALLS: dict[str, dict[str, Any]] = {
    "mnemo": {"name": "fact_recall", "arguments": {"query": "zzz"}},
    "echo": {"name": "echo", "arguments": {"text": "zzz"}},
}


def time_block(connection: Connection, call: dict[str, Any], times: list[float]) -> None:
    for _ in range(BLOCK):
        begun = time.perf_counter()
        connection.request("tools/call", call)
        times.append((time.perf_counter() - begun) * 1000)


def measure(calls: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in SERVERS}
    with tempfile.TemporaryDirectory(prefix="mnemo-bench-") as home, ExitStack() as stack:
        connections = {
            name: stack.enter_context(connected(command, scratch_environment(home)))
            for name, command in SERVERS.items()
        }
        for name, connection in connections.items():
            connection.request("initialize", INITIALIZE)
            connection.notify("notifications/initialized")
            time_block(connection, CALLS[name], [])
        for _ in range(max(1, calls // BLOCK)):
            for name, connection in connections.items():
                time_block(connection, CALLS[name], times[name])
    return times


def report(times: dict[str, list[float]]) -> dict[str, Any]:
    medians = {name: round(statistics.median(values), 3) for name, values in times.items()}
    p99 = {
        name: round(statistics.quantiles(values, n=100)[98], 3) for name, values in times.items()
    }
    return {
        "bench": "roundtrip",
        "python": platform.python_version(),
        "calls": len(times["mnemo"]),
        "medians": medians,
        "p99": p99,
        "ratio": round(medians["mnemo"] / medians["echo"], 3),
        "budget": BUDGET,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="one tool call over stdio beside an echo")
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = report(measure(options.calls))
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{figures['calls']} calls (ms){'':14}{'mnemo':>10}{'echo':>10}{'ratio':>8}{'budget':>8}")
    for what in ("medians", "p99"):
        ours, echo = figures[what]["mnemo"], figures[what]["echo"]
        ratio = f"{figures['ratio']:>8.3f}{BUDGET:>8.2f}" if what == "medians" else ""
        print(f"tool call, {what:17}{ours:>10.3f}{echo:>10.3f}{ratio}")


if __name__ == "__main__":
    main()
