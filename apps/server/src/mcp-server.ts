import type { Inputs, OperationName, ProgressOptions } from "@docsearch/service";
import { inputSchema, outputSchema, parseInput } from "@docsearch/service/schemas";
import { skillText } from "@docsearch/service/skill-text";
import {
  type CallToolResult,
  McpServer,
  type McpServerFactory,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { memorySkillFiles, SkillCatalog } from "@modelcontextprotocol/server/ext/skills";
import { registerChatgptTools } from "./chatgpt.js";
import { instructions } from "./instructions.js";
import type { LazyService } from "./lazy-service.js";
import type { ServerOptions } from "./options.js";
import { registerPrompt } from "./prompt.js";
import { registerResources } from "./resources.js";
import { describeError } from "./tool-errors.js";
import { TOOLS, type Tool } from "./tools.js";
import { version } from "./version.js";

const MINUTE = 60_000;

/**
 * Makes the server that answers one connection, or one request over HTTP. All of them share the service; nothing else
 * is shared, so no answer can reach another client.
 *
 * @param onServer told of each server that is made
 */
export function createFactory(
  options: ServerOptions,
  service: LazyService,
  onServer: (server: McpServer) => void = () => {},
): McpServerFactory {
  const info = { name: "docsearch", title: "docsearch", version: version() };
  const skills = options.profile === "default" ? loadSkill(service) : undefined;
  return async () => {
    const server = new McpServer(info, {
      instructions: instructions(options, service.sourceNames.get()),
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      cacheHints: {
        "tools/list": { ttlMs: 5 * MINUTE, cacheScope: "public" },
        "prompts/list": { ttlMs: 5 * MINUTE, cacheScope: "public" },
        "resources/templates/list": { ttlMs: 5 * MINUTE, cacheScope: "public" },
        "resources/list": { ttlMs: 5000, cacheScope: "private" },
        "resources/read": { ttlMs: 5000, cacheScope: "private" },
        "server/discover": { ttlMs: MINUTE, cacheScope: "private" },
      },
    });
    if (options.profile === "chatgpt") registerChatgptTools(server, options, service);
    else
      for (const tool of TOOLS) if (!(options.readOnly && tool.isWriter)) registerTool(server, tool, options, service);
    registerResources(server, options, service);
    registerPrompt(server);
    (await skills)?.attach(server);
    onServer(server);
    return server;
  };
}

/** How to use this server, as a skill for clients that know of skills. */
function loadSkill(service: LazyService): Promise<SkillCatalog> {
  return SkillCatalog.load(memorySkillFiles({ "docsearch/SKILL.md": skillText(service.sourceNames.get()) }));
}

function registerTool(server: McpServer, tool: Tool, options: ServerOptions, service: LazyService): void {
  const { name, description, hints } = tool;
  const config = {
    description,
    inputSchema: checkedInput(name),
    annotations: { ...hints },
    ...(options.structured && { outputSchema: outputSchema(name) }),
  };
  server.registerTool(name, config, async (input: Inputs[OperationName], context: ServerContext) => {
    try {
      const { text, data } = await tool.run(await service.get(), input, progressOf(context));
      return {
        content: [{ type: "text", text }],
        ...((tool.isStatus || options.structured) && { structuredContent: { ...data } }),
      } satisfies CallToolResult;
    } catch (error) {
      context.mcpReq.signal.throwIfAborted();
      return { content: [{ type: "text", text: describeError(error, options) }], isError: true };
    }
  });
}

/** Checks arguments by the service's schemas, with messages that say what to mend. */
function checkedInput<N extends OperationName>(name: N): StandardSchemaWithJSON<unknown, Inputs[N]> {
  const schema = (): Record<string, unknown> => inputSchema(name);
  return {
    "~standard": {
      version: 1,
      vendor: "docsearch",
      jsonSchema: { input: schema, output: schema },
      validate: (value) => {
        try {
          return { value: parseInput(name, value) };
        } catch (error) {
          return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
        }
      },
    },
  };
}

function progressOf({ mcpReq }: ServerContext): ProgressOptions {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: mcpReq.signal };
  let last = 0;
  return {
    signal: mcpReq.signal,
    onProgress: (progress, message) => {
      if (progress <= last) return;
      last = progress;
      const params = { progressToken, progress, message };
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
