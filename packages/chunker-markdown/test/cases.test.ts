import { describe, test } from "vitest";
import { readCases, runCase } from "./cases.js";

describe("fault cases", () => {
  for (const each of readCases()) test(`${each.id}: ${each.expect}`, () => runCase(each, false));
});

describe("fault cases, stretch", () => {
  for (const each of readCases()) {
    if (each.checks.some(({ stretch }) => stretch)) test(each.id, () => runCase(each, true));
  }
});
