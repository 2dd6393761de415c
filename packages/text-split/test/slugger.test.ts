import { expect, test } from "vitest";
import { Slugger } from "../src/index.js";

test("slugs by GitHub's rule", () => {
  const slugger = new Slugger();
  expect(slugger.slug("Über `useEffect` & co.")).toBe("über-useeffect--co");
  expect(slugger.slug("2.1. Heights")).toBe("21-heights");
  expect(slugger.slug("10 m² ½ Ⅳ")).toBe("10-m--ⅳ");
});

test("a repetition has a number, and never an anchor that is taken", () => {
  const slugger = new Slugger();
  expect(["Tide", "Tide", "Tide-1", "Tide"].map((heading) => slugger.slug(heading))).toEqual([
    "tide",
    "tide-1",
    "tide-1-1",
    "tide-2",
  ]);
  expect(slugger.unique("tide")).toBe("tide-3");
});
