"""The smallest MCP server that the SDK allows: what a start-up time is compared with."""

import asyncio

from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

ECHO = Tool(
    name="echo", input_schema={"type": "object", "properties": {"text": {"type": "string"}}}
)


async def list_tools(
    context: ServerRequestContext, params: PaginatedRequestParams | None
) -> ListToolsResult:
    return ListToolsResult(tools=[ECHO])


async def call_tool(context: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=str((params.arguments or {}).get("text", "")))])


async def main() -> None:
    server = Server("smallest", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
