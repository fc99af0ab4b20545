"""The official Python SDK's client: lists, makes the given calls, prints JSON.

usage: python client.py '{"command": "cuff", "args": ["serve"], "mode": "auto", "calls": [{"name": "…", "arguments": {}}]}'

With "offers": true it lists prompts, resources and templates as well.
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def main():
    task = json.loads(sys.argv[1])
    server = StdioServerParameters(command=task["command"], args=task["args"], env=dict(os.environ))
    async with Client(server, mode=task["mode"]) as client:
        tools, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        offers = None
        if task.get("offers"):
            listed = [
                (await client.list_prompts()).prompts,
                (await client.list_resources()).resources,
                (await client.list_resource_templates()).resource_templates,
            ]
            offers = [[entry.name for entry in entries] for entries in listed]
        results = []
        for call in task["calls"]:
            result = await client.call_tool(call["name"], call.get("arguments"))
            results.append(result.model_dump(mode="json", by_alias=True, exclude_none=True))
        version = client.protocol_version
        print(json.dumps({"version": version, "tools": tools, "results": results, "offers": offers}))


asyncio.run(main())
