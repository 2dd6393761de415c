import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "docsearch-example-"));
afterAll(() => rmSync(folder, { recursive: true }));

function ask(query: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [join(import.meta.dirname, "main.mjs"), folder, query]);
}

test("it answers, and the second run reads only what has changed", async () => {
  writeFileSync(join(folder, "backup.md"), "# Backups\n\n## Restoring\n\nCopy the snapshot back.\n");
  writeFileSync(join(folder, "limits.md"), "# Limits\n\nSixteen attachments of ten megabytes each.\n");
  const first = await ask("restore a snapshot");
  expect(first.stderr).toBe("2 files, 0 unchanged, 0 deleted\n");
  expect(first.stdout.split("\n").slice(0, 2)).toEqual([
    "backup.md:1  Backups > Restoring",
    "  # Backups  ## Restoring  Copy the snapshot back.",
  ]);

  rmSync(join(folder, "limits.md"));
  writeFileSync(join(folder, "mail.md"), "# Mail\n\nLetters with enclosures.\n");
  const second = await ask("letters");
  expect(second.stderr).toBe("2 files, 1 unchanged, 1 deleted\n");
  expect(second.stdout).toMatch(/^mail\.md:1 {2}Mail\n/);
});
