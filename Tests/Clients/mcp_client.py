"""Calls the tools for agents with the MCP client `mcp` of PyPI, in both eras of the protocol, over both transports.

Prints the name of each check that passed; exits with 1 at the first that failed.

    mcp_client.py --stdio BINARY FOLDER --http URL
"""

import argparse
import asyncio
import urllib.request

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

TOOLS = [
    "session_begin", "session_end", "stub", "stubs", "requests", "unmatched", "explain", "verify", "release", "record",
    "fault",
]


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return str(error.code)


async def check(name, client, version):
    assert client.protocol_version == version, client.protocol_version
    if not name.endswith(version) or version == "2025-11-25":
        assert client.server_info.name == "stuntdouble"
        assert "session_begin" in client.instructions

    listed = await client.list_tools()
    assert [tool.name for tool in listed.tools] == TOOLS
    assert all(tool.input_schema["type"] == "object" for tool in listed.tools)

    async def call(tool, **arguments):
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.content[0].text
        return result.structured_content

    begun = await call("session_begin", name=name)
    session, url = begun["session"], begun["url"]
    await call("stub", session=session, stubs="GET /tea: { json: { kind: green } }")
    assert await asyncio.to_thread(get, url + "/tea") == '{"kind":"green"}'
    assert await asyncio.to_thread(get, url + "/teas") == "404"

    unmatched = await call("unmatched", session=session)
    assert unmatched["unmatched"][0]["nearestStub"]["key"] == "GET /tea", unmatched
    assert "Only the path differs" in unmatched["unmatched"][0]["smallestChange"]

    verified = await call(
        "verify", session=session, expectations=[{"pattern": {"urlPath": "/tea"}, "count": 1}], within="1s")
    assert verified["verified"] is True, verified
    listed = await call("requests", session=session)
    assert [row["url"] for row in listed["requests"]] == ["/teas", "/tea"], listed

    wrong = await client.call_tool("stub", {"session": session, "stubs": "GET /a: { boddy: x }"})
    assert wrong.is_error and 'did you mean "body"' in wrong.content[0].text, wrong

    ended = await call("session_end", session=session)
    assert ended["verdict"] == "failed", ended

    resources = await client.list_resources()
    for resource in resources.resources:
        read = await client.read_resource(resource.uri)
        assert len(read.contents[0].text) > 1000, resource
    print(name, flush=True)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stdio", nargs=2, required=True)
    parser.add_argument("--http", required=True)
    options = parser.parse_args()
    binary, folder = options.stdio
    for mode, version in [("2026-07-28", "2026-07-28"), ("auto", "2026-07-28"), ("legacy", "2025-11-25")]:
        transport = stdio_client(StdioServerParameters(command=binary, args=["mcp", folder]))
        async with Client(transport, mode=mode) as client:
            await check(f"stdio {mode}", client, version)
        async with Client(streamable_http_client(options.http + "/__admin/mcp"), mode=mode) as client:
            await check(f"http {mode}", client, version)


asyncio.run(main())
