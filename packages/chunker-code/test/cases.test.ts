import { describe, test } from "vitest";
import { readCases, runCase } from "./cases.js";

describe("fault cases", () => {
  for (const each of readCases()) test(`${each.id}: ${each.expect}`, () => runCase(each));
});
