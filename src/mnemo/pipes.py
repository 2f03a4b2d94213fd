"""Standard input and output for a server: quick for pipes, and the protocol's alone.

Reading a line and writing one through worker threads is most of what a short call costs. Pipes and
socket pairs, which is what clients give a server they start, are read and written here by the
event loop itself; anything else (a file, a terminal, another system) goes through threads. While
the protocol has standard output, whatever else prints there lands on standard error.
"""

import os
import select
import stat
import sys
from collections.abc import AsyncIterable, AsyncIterator
from typing import Protocol

import anyio

_READ_AT_ONCE = 65_536


class Output(Protocol):
    """Where text is written; what was flushed is on its way."""

    async def write(self, text: str, /) -> object:
        """Take the text."""
        ...

    async def flush(self) -> object:
        """Let everything taken go out."""
        ...


def standard_input() -> AsyncIterable[bytes]:
    """The lines of standard input, as they come."""
    return _piped_lines(0) if _is_pipe(0) else anyio.wrap_file(sys.stdin.buffer)


def standard_output() -> Output:
    """Standard output, which from here on is written through this alone."""
    wire = os.dup(1)
    os.dup2(2, 1)
    if _is_pipe(wire):
        return _PipeOutput(wire)
    return anyio.wrap_file(os.fdopen(wire, "w", encoding="utf-8", newline="\n"))


def _is_pipe(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return os.name == "posix" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


async def _piped_lines(descriptor: int) -> AsyncIterator[bytes]:
    begun: list[bytes] = []
    while True:
        await anyio.wait_readable(descriptor)
        data = os.read(descriptor, _READ_AT_ONCE)
        if not data:
            break
        *ended, rest = data.split(b"\n")
        for line in ended:
            yield b"".join((*begun, line))
            begun = []
        begun.append(rest)
    if last := b"".join(begun):
        yield last


class _PipeOutput:
    """Writes no more at once than the other end has room for, so the event loop never blocks."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    async def write(self, text: str, /) -> None:
        rest = memoryview(text.encode())
        while rest:
            if not self._room.poll(0):
                await anyio.wait_writable(self._descriptor)
            written = os.write(self._descriptor, rest[: select.PIPE_BUF])
            rest = rest[written:]

    async def flush(self) -> None:
        """Nothing is held back."""
