import { expect, test } from "vitest";
import { symbolsIn } from "./check.js";

test("one line that a grammar does not know costs no definition behind it", () => {
  const kotlin = `package demo

data class Square(val side: Double) : Shape { override fun area() = side * side }

enum class Color { RED, GREEN; fun hex(): String { return "#" } }

fun main() {
    println("hi")
}
`;
  expect(symbolsIn(kotlin, "shapes.kt")).toEqual(["enum Color", "method hex", "function main"]);
});

test("where two versions conflict, both are read, and what is behind them", () => {
  const rust = `pub fn first() -> u8 {
    1
}

<<<<<<< HEAD
pub fn ours(a: u8) -> u8 {
    a
}
=======
pub fn theirs(b: u8) -> u8 {
    b
}
>>>>>>> feature

pub struct Tail {
    size: u8,
}

impl Tail {
    pub fn grow(&mut self) {
        self.size += 1;
    }
}
`;
  expect(symbolsIn(rust, "lib.rs")).toEqual([
    "function first",
    "function ours",
    "function theirs",
    "struct Tail",
    "method grow",
  ]);
});

test("a bracket that is never closed costs the statement that it stands in", () => {
  const python = `class Cache:
    def get(self, key):
        return self.items.get((key

    def put(self, key, value):
        self.items[key] = value


def flush(cache):
    cache.items.clear()


class Store(Cache):
    def close(self):
        flush(self)
`;
  expect(symbolsIn(python, "cache.py")).toEqual([
    "class Cache",
    "method get",
    "function put",
    "function flush",
    "class Store",
    "method close",
  ]);
});

test("a macro that looks like nothing in C costs no function behind it", () => {
  const c = `#include "stack.h"

DEFINE_STACK_OF(NODE, { 0, 1 } extra (

int node_count(const NODE *node) {
  return node->count;
}

#define NODE_MAX 12

struct list {
  int size;
};
`;
  expect(symbolsIn(c, "node.c")).toEqual(["function node_count", "constant NODE_MAX", "struct list"]);
});

test("what no grammar can read is given up soon, and all of it is in chunks", () => {
  const prose = "The quick brown fox's jumps; over (the lazy dog.\n".repeat(4000);
  expect(symbolsIn(prose, "prose.ts")).toEqual([]);
});
