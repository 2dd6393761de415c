import { expect, test, vi } from "vitest";
import { FileAccess } from "../src/file-access.js";

/** Lets `performance.now` run by what the calls take, in milliseconds. */
function clock(): { advance(ms: number): void } {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return {
    advance: (ms) => {
      now += ms;
    },
  };
}

test("direct calls go on while the file system is fast", async () => {
  const time = clock();
  const access = new FileAccess();
  const direct = vi.fn(() => time.advance(1));
  const pool = vi.fn(async () => undefined);
  for (let call = 0; call < 100; call++) await access.call(direct, pool);
  expect(direct).toHaveBeenCalledTimes(100);
  expect(pool).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

test("after four slow answers the pool is used for good", async () => {
  const time = clock();
  const access = new FileAccess();
  const direct = vi.fn(() => time.advance(20));
  const pool = vi.fn(async () => undefined);
  for (let call = 0; call < 10; call++) await access.call(direct, pool);
  expect(direct).toHaveBeenCalledTimes(4);
  expect(pool).toHaveBeenCalledTimes(6);
  vi.restoreAllMocks();
});

test("a slow answer now and then does not count, nor one for many bytes", async () => {
  const time = clock();
  const access = new FileAccess();
  for (let call = 0; call < 400; call++) access.direct(() => time.advance(call % 20 === 0 ? 20 : 0));
  expect(access.isSlow).toBe(false);
  for (let call = 0; call < 10; call++) access.direct(() => time.advance(100), 5_000_000);
  expect(access.isSlow).toBe(false);
  vi.restoreAllMocks();
});

test("the event loop turns between direct calls", async () => {
  const time = clock();
  const access = new FileAccess();
  let turns = 0;
  const count = (): void => {
    turns++;
    if (turns < 1000) setImmediate(count);
  };
  setImmediate(count);
  for (let call = 0; call < 10; call++) {
    await access.call(
      () => time.advance(4),
      async () => undefined,
    );
  }
  // 10 calls of 4 ms: after the 3rd, 6th and 9th more than 10 ms have passed.
  expect(turns).toBe(3);
  turns = 1000;
  vi.restoreAllMocks();
});
