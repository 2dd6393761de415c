// A client of the first SDK, for hosts that have not moved. usage: node client-v1.mjs TOOLS_FOLDER URL | TOOLS_FOLDER BIN PROJECT
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", target = "", project] = process.argv.slice(2);
const resolve = createRequire(join(folder, "package.json")).resolve;
/** @param {string} part */
const load = (part) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${part}`)).href);
const { Client } = await load("client/index.js");

const client = new Client({ name: "conformance-v1", version: "0" });
if (project === undefined) {
  const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
  await client.connect(new StreamableHTTPClientTransport(new URL(target)));
} else {
  const { StdioClientTransport } = await load("client/stdio.js");
  const args = [target, "--read-only", "--project", project];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
}
assert.equal(client.getServerVersion()?.name, "docsearch");
const { tools } = await client.listTools();
assert.deepEqual(
  tools.map((/** @type {{ name: string }} */ { name }) => name),
  ["search", "get_chunk", "read", "outline", "list_sources"],
);
const { content } = await client.callTool({ name: "search", arguments: { query: "blades" } });
assert.match(content[0].text, /kelp\.md:5-7/);
assert.equal((await client.callTool({ name: "search", arguments: {} })).isError, true);
assert.equal((await client.listResources()).resources.length, 1);
await client.close();
process.stdout.write(`${tools.length} tools, search, a bad argument, resources\n`);
process.exit(0);
