import { expect, test } from "vitest";
import { startTimeLimit } from "../src/time-limit.js";

/** Keeps the process at work for so many milliseconds of CPU. */
function work(milliseconds: number): void {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if (user + system > milliseconds * 1000) return;
  }
}

test("a limit is over when the process has worked for so long, and not before", () => {
  const isOver = startTimeLimit(200);
  expect(isOver()).toBe(false);
  work(80);
  expect(isOver()).toBe(false);
  work(200);
  expect(isOver()).toBe(true);
});

test("time in which the process did not work does not count", async () => {
  const isOver = startTimeLimit(200);
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(isOver()).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isOver()).toBe(false);
});
