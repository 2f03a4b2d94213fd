"""A tool as the SDK's users write one, a plain function: what a call is compared with."""

from mcp.server import MCPServer

server = MCPServer("echo", log_level="WARNING")


@server.tool()
def echo(text: str) -> str:
    """The text as it came."""
    return text


if __name__ == "__main__":
    server.run()
