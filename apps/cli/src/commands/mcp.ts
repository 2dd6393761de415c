import { runServer } from "docsearch-mcp/run";
import type { Flags } from "../setting-flags.js";

interface McpFlags extends Flags {
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly project?: string;
  readonly readOnly?: boolean;
  readonly watch?: readonly string[];
  readonly debounce?: string;
  readonly poll?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly profile?: string;
  readonly structured?: boolean;
}

/** Starts the MCP server in this process. */
export async function mcpCommand(_operands: readonly string[], flags: McpFlags): Promise<void> {
  const { http, host, port, project, readOnly, watch = [], debounce, poll, include = [], exclude = [] } = flags;
  const { profile, structured } = flags;
  const args = [
    ...(http ? ["--http"] : []),
    ...(host === undefined ? [] : [`--host=${host}`]),
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(project === undefined ? [] : [`--project=${project}`]),
    ...(readOnly ? ["--read-only"] : []),
    ...watch.map((path) => `--watch=${path}`),
    ...(debounce === undefined ? [] : [`--debounce=${debounce}`]),
    ...(poll ? ["--poll"] : []),
    ...include.map((pattern) => `--include=${pattern}`),
    ...exclude.map((pattern) => `--exclude=${pattern}`),
    ...(profile === undefined ? [] : [`--profile=${profile}`]),
    ...(structured ? ["--structured"] : []),
  ];
  await runServer(args);
}
