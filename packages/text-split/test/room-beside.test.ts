import { expect, test } from "vitest";
import { roomBeside } from "../src/room-beside.js";
import { shortHeading } from "../src/short-heading.js";

const room = (title: string | undefined, path: readonly string[], maxSize: number, overlap = 0): number =>
  roomBeside(title, path, { maxSize, overlap, measure: (text) => text.length }).maxSize;

test("title and heading path take a line each", () => {
  expect(room(undefined, [], 100)).toBe(100);
  expect(room("Guide", [], 100)).toBe(94);
  expect(room("Guide", ["Guide", "Usage", "Flags"], 100)).toBe(80);
  expect(room(undefined, ["Usage"], 100)).toBe(94);
});

test("long headings count as they are embedded, cut to 200", () => {
  expect(room("t".repeat(5000), [], 1000)).toBe(799);
  expect(room("t".repeat(5000), ["h".repeat(300), "i".repeat(300)], 1000)).toBe(395);
});

test("a quarter of the size is left, and more than the overlap", () => {
  expect(room("t".repeat(200), ["h".repeat(150)], 400)).toBe(100);
  expect(room("t".repeat(70), [], 100, 60)).toBe(61);
});

test("half of the size is left where title and headings alone are too large", () => {
  expect(room("t".repeat(200), ["h".repeat(200)], 400)).toBe(200);
});

test("a heading is not cut inside a surrogate pair", () => {
  expect(shortHeading(`${"a".repeat(199)}😀b`)).toBe(`${"a".repeat(199)}\ufffd`);
  expect(shortHeading("a".repeat(200))).toBe("a".repeat(200));
  expect(shortHeading(undefined)).toBe(undefined);
});
