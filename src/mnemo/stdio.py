"""The client's lines, checked before the SDK reads them, and the end of them.

The SDK gives no answer at all to a line that it cannot read, and the client then waits until its
own timeout. Here such a line is answered with a JSON-RPC error, under its id where one can be
made out. Half of a surrogate pair, which a client that cuts text in the middle of an emoji
sends, is no reason to refuse: it becomes U+FFFD, and the call goes on. And a client that closes
its end still gets the answers to what it asked before, as far as they come soon.
"""

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self, TypeGuard, cast

import anyio
from mcp.shared._stream_protocols import WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCResponse

_ID = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)(?=\s*[,}])')
_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")
_MAX_DEPTH = 100  # the SDK reads no line that is nested twice as deep
_SECONDS_FOR_LAST_ANSWERS = 4.0  # a client that waits for the exit gives up after about five

RequestId = int | str


class CheckedLines:
    """The lines of ``source`` that hold a JSON-RPC message, in order, as the SDK wants them."""

    def __init__(self, source: AsyncIterable[bytes], *, at_end: Callable[[], None]) -> None:
        self._source = source
        self._at_end = at_end
        self._replies: Replies | None = None
        self._can_reply = anyio.Event()

    def reply_through(self, replies: "Replies") -> None:
        """Refusals go out through ``replies``; until it is known, they wait."""
        self._replies = replies
        self._can_reply.set()

    async def __aiter__(self) -> AsyncIterator[str]:
        async for raw in self._source:
            line = raw.decode("utf-8", "replace")
            if not line.strip():
                continue
            await self._can_reply.wait()
            assert self._replies is not None
            try:
                message = _message(line)
            except _Unreadable as error:
                await self._replies.send(SessionMessage(error.reply))
                continue
            self._replies.expect(message)
            # Half a pair can only have come as an escape.
            yield json.dumps(_mended(message)) if "\\ud" in line.lower() else line
        if self._replies is not None:
            with anyio.move_on_after(_SECONDS_FOR_LAST_ANSWERS):
                await self._replies.complete()
        self._at_end()


class Replies:
    """The SDK's stream of messages to the client, which knows what is still to be answered."""

    def __init__(self, stream: WriteStream[SessionMessage]) -> None:
        self._stream = stream
        self._open: set[RequestId] = set()
        self._all_sent = anyio.Event()

    def expect(self, message: dict[str, Any]) -> None:
        """Take note of a request, or that one was taken back."""
        if "method" in message and "id" in message:
            self._open.add(message["id"])
        elif message.get("method") == "notifications/cancelled":
            taken_back = message.get("params", {}).get("requestId")
            if _is_request_id(taken_back):
                self._close(taken_back)

    async def complete(self) -> None:
        """Wait until every request is answered."""
        while self._open:
            self._all_sent = anyio.Event()
            await self._all_sent.wait()

    def _close(self, request_id: Any) -> None:
        self._open.discard(request_id)
        if not self._open:
            self._all_sent.set()

    async def send(self, item: SessionMessage, /) -> None:
        """Pass a message on."""
        await self._stream.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._close(item.message.id)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


class _Unreadable(Exception):
    def __init__(self, code: int, message: str, request_id: RequestId | None) -> None:
        super().__init__(message)
        self.reply = JSONRPCError(
            jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message)
        )


def _message(line: str) -> dict[str, Any]:
    """The message in the line. Raises _Unreadable where there is none."""
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _Unreadable(PARSE_ERROR, f"this line is not JSON: {error}", _id_in(line)) from None
    if not isinstance(message, dict):
        raise _Unreadable(INVALID_REQUEST, "a message is one JSON object, no list", None)
    known = cast("dict[str, Any]", message)
    _check(known)
    return known


def _check(message: dict[str, Any]) -> None:
    request_id = message.get("id")
    known = request_id if _is_request_id(request_id) else None
    if "id" in message and known is None:
        raise _Unreadable(INVALID_REQUEST, "id must be a text or a whole number", None)
    if message.get("jsonrpc") != "2.0":
        raise _Unreadable(INVALID_REQUEST, 'jsonrpc must be "2.0"', known)
    if not isinstance(message.get("params", {}), dict):
        raise _Unreadable(INVALID_REQUEST, "params must be an object", known)
    if not isinstance(message.get("method", ""), str):
        raise _Unreadable(INVALID_REQUEST, "method must be a text", known)
    if message.keys().isdisjoint(("method", "result", "error")):
        raise _Unreadable(INVALID_REQUEST, "a request names its method", known)
    if _is_deep(message, _MAX_DEPTH):
        raise _Unreadable(INVALID_REQUEST, f"nested more than {_MAX_DEPTH} levels deep", known)


def _is_request_id(value: object) -> TypeGuard[RequestId]:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _is_deep(value: Any, levels: int) -> bool:
    match value:
        case dict():
            inner = cast("dict[str, Any]", value).values()
        case list():
            inner = cast("list[Any]", value)
        case _:
            return False
    return levels == 0 or any(_is_deep(item, levels - 1) for item in inner)


def _mended(value: Any) -> Any:
    match value:
        case str():
            return _HALF_OF_A_PAIR.sub("\ufffd", value)
        case list():
            return [_mended(item) for item in cast("list[Any]", value)]
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            return {_mended(key): _mended(item) for key, item in pairs}
        case _:
            return value


def _id_in(line: str) -> RequestId | None:
    """The id that a line which is no JSON seems to have, where it seems to have one."""
    found = _ID.findall(line)
    return json.loads(found[0]) if len(found) == 1 else None
