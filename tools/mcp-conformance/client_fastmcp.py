"""Drives the server with Python fastmcp. usage: python client_fastmcp.py URL | BIN PROJECT"""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main(target, project=None):
    if project is not None:
        target = StdioTransport("node", [target, "--project", project])
    progress = []

    async def on_progress(done, total, message):
        progress.append(done)

    async with Client(target, progress_handler=on_progress) as client:
        tools = [tool.name for tool in await client.list_tools()]
        assert tools[:5] == ["search", "get_chunk", "read", "outline", "list_sources"], tools
        found = await client.call_tool("search", {"query": "blades"})
        assert "kelp.md:5-7" in found.content[0].text, found
        resources = await client.list_resources()
        assert len(resources) == 1, resources
        text = (await client.read_resource("docsearch://docs/docs/kelp.md"))[0].text
        assert "Cut the blades of kelp" in text, text
        try:
            await client.call_tool("search", {"query": ""})
            raise SystemExit("an empty query was taken")
        except Exception as error:
            assert "query is empty" in str(error), error
        if project is not None:
            done = await client.call_tool("index_path", {"path": "docs"})
            assert done.structured_content["state"] == "done", done
    print(f"{len(tools)} tools, search, resources, a bad argument")


asyncio.run(main(*sys.argv[1:]))
