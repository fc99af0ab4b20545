"""A server by the official Python SDK whose numbers no 64 bits hold. Its words: `stdio`, or `http PORT`."""

import sys

from mcp.server.mcpserver import MCPServer

LARGE = 123456789012345678901234567890
server = MCPServer("large")


@server.tool()
def number(x: int = LARGE, y: float = 0.1) -> dict[str, int | float]:
    """Answers with its arguments."""
    return {"x": x, "y": y, "beside": -LARGE}


if sys.argv[1] == "stdio":
    server.run()
else:
    server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
