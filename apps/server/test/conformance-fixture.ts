// The server with the names that the official conformance suite calls, mounted as in production. Started by
// tools/mcp-conformance/run.mjs. usage: node fixture PROJECT
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { completable, type McpServer, ResourceTemplate, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { createHttpHandler } from "../src/http-handler.js";
import { lazyService } from "../src/lazy-service.js";
import { createFactory } from "../src/mcp-server.js";
import { readOptions } from "../src/options.js";

/** The smallest PNG and WAV. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const options = readOptions(["--http", "--port", "0", "--project", process.argv[2] ?? "."], process.env, process.cwd());
const service = lazyService(options);
const factory = createFactory(options, service);
const { listener, mcp } = createHttpHandler(async (context) => {
  const server = (await factory(context)) as McpServer;
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}, options);
const http = createServer(listener).listen(0, "127.0.0.1");
await once(http, "listening");
process.stderr.write(`listening on http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`);

type Content =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } };

function text(content: string): Content {
  return { type: "text", text: content };
}

function image(): Content {
  return { type: "image", data: PNG, mimeType: "image/png" };
}

function embedded(uri: string, mimeType: string, content: string): Content {
  return { type: "resource", resource: { uri, mimeType, text: content } };
}

function addTools(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => Promise<Content[]> | Content[]): void => {
    server.registerTool(name, { description: "For the conformance suite." }, async (context) => ({
      content: await run(context),
    }));
  };
  tool("test_simple_text", () => [text("plain text")]);
  tool("test_image_content", () => [image()]);
  tool("test_audio_content", () => [{ type: "audio", data: WAV, mimeType: "audio/wav" }]);
  tool("test_embedded_resource", () => [embedded("test://embedded-resource", "text/plain", "embedded")]);
  tool("test_multiple_content_types", () => [
    text("mixed"),
    image(),
    embedded("test://mixed-content-resource", "application/json", '{"n":1}'),
  ]);
  tool("test_error_handling", () => {
    throw new Error("planned failure");
  });
  tool("test_tool_with_progress", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      }
      await sleep(50);
    }
    return [text("done")];
  });
  tool("test_trigger_tool_change", () => {
    mcp.notify.toolsChanged();
    return [text("changed")];
  });
  tool("test_trigger_prompt_change", () => {
    mcp.notify.promptsChanged();
    return [text("changed")];
  });
}

function addResources(server: McpServer): void {
  const meta = { description: "For the conformance suite." };
  server.registerResource("static-text", "test://static-text", meta, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "static" }],
  }));
  server.registerResource("static-binary", "test://static-binary", meta, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PNG }],
  }));
  server.registerResource("watched", "test://watched-resource", meta, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "watched" }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, meta, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify({ id }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const user = (...parts: Content[]) => ({
    messages: parts.map((content) => ({ role: "user" as const, content })),
  });
  const description = "For the conformance suite.";
  server.registerPrompt("test_simple_prompt", { description }, () => user(text("simple prompt")));
  server.registerPrompt("test_prompt_with_image", { description }, () => user(image(), text("see the image")));
  const arg1 = completable(z.string(), (value) => ["testing", "party"].filter((word) => word.startsWith(value)));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description, argsSchema: z.object({ arg1, arg2: z.string() }) },
    (args) => user(text(`${args.arg1} ${args.arg2}`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => user(embedded(resourceUri, "text/plain", "embedded in a prompt"), text("see above")),
  );
}
