import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

function json(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(import.meta.dirname, "..", name), "utf8"));
}

test("server.json says of this package what its manifest says", () => {
  const manifest = json("package.json");
  const server = json("server.json");
  expect(server).toMatchObject({
    name: manifest.mcpName,
    version: manifest.version,
    packages: [
      { registryType: "npm", identifier: manifest.name, version: manifest.version, transport: { type: "stdio" } },
    ],
  });
  expect(server.name).toMatch(/^[a-z0-9.-]+\/[a-z0-9._-]+$/);
  expect(String(server.description).length).toBeLessThanOrEqual(100);
});

test("the SDK and zod are pinned to one version", () => {
  const { dependencies } = json("package.json") as { dependencies: Record<string, string> };
  const service = JSON.parse(readFileSync(join(import.meta.dirname, "../../../packages/service/package.json"), "utf8"));
  expect(dependencies["@modelcontextprotocol/server"]).toBe("2.4.0");
  expect(dependencies["@modelcontextprotocol/node"]).toBe("2.1.2");
  expect(service.dependencies.zod).toBe(dependencies.zod);
});
