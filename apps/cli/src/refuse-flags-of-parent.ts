import type { Command } from "commander";

/** Commander gives a flag behind `index rollback` to `index` when that has it, and nobody would heed it. */
export function refuseFlagsOfParent(command: Command): void {
  const { parent } = command;
  if (parent === null || parent.parent === null) return;
  const own = new Set(command.options.map((option) => option.attributeName()));
  for (const option of parent.options) {
    const name = option.attributeName();
    if (own.has(name) || parent.getOptionValueSource(name) !== "cli") continue;
    command.error(`error: unknown option '${option.long}'`);
  }
}
