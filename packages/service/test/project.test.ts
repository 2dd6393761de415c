import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { isInside, nameInProject, projectRoot, resolveInside } from "../src/project.js";

const top = realpathSync(mkdtempSync(join(tmpdir(), "docsearch-service-")));
const root = join(top, "project");
mkdirSync(join(root, "docs"), { recursive: true });
mkdirSync(join(top, "project-other"));
writeFileSync(join(root, "docs", "a.md"), "kelp\n");
writeFileSync(join(top, "outside.md"), "kelp\n");
symlinkSync(top, join(root, "out"));
symlinkSync(join(top, "outside.md"), join(root, "docs", "link.md"));
symlinkSync("docs", join(root, "inside"));
afterAll(() => rmSync(top, { recursive: true }));

test("what is inside, by its real path", () => {
  expect(resolveInside(".", root, [root])).toBe(root);
  expect(resolveInside("docs/a.md", root, [root])).toBe(join(root, "docs/a.md"));
  expect(resolveInside("docs/../docs", root, [root])).toBe(join(root, "docs"));
  expect(resolveInside("inside/a.md", root, [root])).toBe(join(root, "docs/a.md"));
  expect(resolveInside(join(root, "docs"), root, [root])).toBe(join(root, "docs"));
});

test.each([
  "../../etc/passwd",
  "/etc/passwd",
  "docs/%2e%2e/%2e%2e/etc/passwd",
  "docs\\..\\..\\etc\\passwd",
  "file:///etc/passwd",
  "docs/../../etc/passwd\0.md",
  "../outside.md",
  "../project-other",
  "out/outside.md",
  "out",
  "docs/link.md",
  "~/.ssh/id_rsa",
  "docs/missing.md",
  "C:\\Windows",
  "docs/a.md::$DATA",
])("%j is refused", (path) => {
  expect(() => resolveInside(path, root, [root])).toThrow("cannot be indexed");
});

test("whatever is asked for, what comes back is inside and its message tells nothing of outside", () => {
  const part = fc.constantFrom("..", ".", "docs", "out", "a.md", "%2e%2e", "etc", "passwd", "~", "\\", "inside", "");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
      const path = (absolute ? "/" : "") + parts.join("/");
      try {
        expect(isInside(root, resolveInside(path, root, [root]))).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: "CONFIG_INVALID" });
        expect(String(error)).not.toContain("ENOENT");
      }
    }),
  );
});

test("names in the project", () => {
  expect(nameInProject("/p", "/p/docs/a.md")).toBe("docs/a.md");
  expect(nameInProject("/p", "/p")).toBe("");
  expect(nameInProject("/p", "/other/a.md")).toBe("/other/a.md");
  expect(nameInProject("/p", "/p..x")).toBe("/p..x");
});

test("the project is the nearest folder above that has an index", () => {
  expect(projectRoot(join(root, "docs"))).toBe(join(root, "docs"));
  mkdirSync(join(root, ".docsearch"));
  expect(projectRoot(join(root, "docs"))).toBe(root);
});
