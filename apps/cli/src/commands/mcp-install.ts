import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { setJsonMember } from "@docsearch/service/config";
import { DocsearchError } from "@docsearch/spec";
import {
  MCP_CLIENTS,
  type McpClient,
  type Places,
  SERVER_NAME,
  type ServerAddress,
  serverFor,
} from "../mcp-clients.js";
import { mcpSnippet } from "../mcp-snippet.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";
import { setTomlTable } from "../toml-table.js";

interface McpInstallFlags extends Flags {
  readonly url?: string;
  readonly write?: boolean;
}

/** Prints what a client's configuration must hold. */
export async function mcpConfigCommand([id = ""]: readonly string[], flags: McpInstallFlags): Promise<void> {
  const client = clientOf(id);
  process.stdout.write(mcpSnippet(client, addressOf(client, flags)));
  warn(`it belongs in ${client.file(places())}`);
}

/** Prints what a client's file would become, or writes it and keeps the old one beside it. No other program is run. */
export async function mcpInstallCommand([id = ""]: readonly string[], flags: McpInstallFlags): Promise<void> {
  const client = clientOf(id);
  const file = client.file(places());
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const after = edited(before, client, addressOf(client, flags), file);
  if (after === before) {
    warn(`${client.title} knows the server already: ${file}`);
    return;
  }
  if (!flags.write) {
    process.stdout.write(after);
    warn(
      `this would be ${file}; write it: docsearch mcp install ${client.id}${flags.url === undefined ? "" : ` --url ${shellWord(flags.url)}`} --write`,
    );
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  const backup = before === "" ? undefined : backupOf(file);
  if (backup !== undefined) copyFileSync(file, backup);
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, after);
  renameSync(temporary, file);
  warn(`${client.title}: wrote ${file}${backup === undefined ? "" : `, the old one is ${backup}`}; restart it`);
}

/** An address as a shell takes it: one with parameters is quoted. It holds no quotes itself. */
function shellWord(url: string): string {
  return /^[\w./:@%+,=-]+$/.test(url) ? url : `'${url}'`;
}

function edited(before: string, { id, format, key, entry }: McpClient, server: ServerAddress, file: string): string {
  try {
    return format === "toml"
      ? setTomlTable(before, [key, SERVER_NAME], entry(server))
      : setJsonMember(before, key, SERVER_NAME, entry(server));
  } catch (cause) {
    const expected = format === "toml" ? "TOML" : "JSON, with or without comments";
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${file} was left as it is: ${reason}; expected ${expected}. Mend it, or copy: docsearch mcp config ${id}`;
    throw new DocsearchError("CONFIG_INVALID", message, { setting: file, value: reason, expected }, { cause });
  }
}

/** A name that is free: a second run must not cover the first backup. */
function backupOf(file: string): string {
  for (let count = 0; ; count++) {
    const name = `${file}.backup${count === 0 ? "" : count}`;
    if (!existsSync(name)) return name;
  }
}

function addressOf(client: McpClient, { url }: McpInstallFlags): ServerAddress {
  if (url === undefined) return serverFor(client, projectRoot());
  if (/^https?:\/\/[^\s"'`]+$/.test(url)) return { kind: "http", url };
  const expected = "an address that begins with http:// or https://";
  throw new DocsearchError("CONFIG_INVALID", `--url is "${url}"; expected ${expected}`, {
    setting: "--url",
    value: url,
    expected,
  });
}

function clientOf(id: string): McpClient {
  const client = MCP_CLIENTS.find((candidate) => candidate.id === id);
  if (client !== undefined) return client;
  const expected = MCP_CLIENTS.map((candidate) => candidate.id).join(", ");
  throw new DocsearchError("CONFIG_INVALID", `there is no client "${id}"; known: ${expected}`, {
    setting: "client",
    value: id,
    expected,
  });
}

function places(): Places {
  const appData = process.env.APPDATA;
  return {
    home: homedir(),
    project: projectRoot(),
    platform: process.platform,
    ...(appData !== undefined && { appData }),
  };
}
