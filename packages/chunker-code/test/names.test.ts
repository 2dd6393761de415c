import { expect, test } from "vitest";
import { namesOf, ownersOf, plainName } from "../src/names.js";

test.each([
  ["match", ["match"]],
  ["*Queue[T]", ["Queue"]],
  ["harbour::Dock<T, Map<K, V>>::sail", ["harbour", "Dock", "sail"]],
  ["Harbour.prototype.leave", ["Harbour", "leave"]],
  ["module.exports.Gate", ["Gate"]],
  ["this", ["this"]],
  ["App\\\\Http\\\\Kernel", ["App", "Http", "Kernel"]],
  ["M.sub:call", ["M", "sub", "call"]],
  ['"./decor"', ["./decor"]],
  ["[Symbol.iterator]", ["[Symbol.iterator]"]],
  ["operator()", ["operator()"]],
  ["Dock::operator()", ["Dock", "operator()"]],
  ["operator bool() const", ["operator bool"]],
  ["operator(x)", ["operator"]],
  ["(<+>)", ["<+>"]],
  ["größe", ["größe"]],
  ["&'a mut Ship<'a>", ["Ship"]],
  ["dyn Dock + Send", ["Dock"]],
  ["Box<dyn Dock<Berth = u8> + 'a>", ["Box"]],
  ["empty?", ["empty?"]],
  ["  ", []],
])("the names in %s", (text, names) => expect(namesOf(text.replaceAll("\\\\", "\\"))).toEqual(names));

test.each([
  ['"a.b/c"', "a.b/c"],
  ["<h2 id=x>Depth <em>at</em>\n night</h2>", "Depth at night"],
  [".berth > a,\n.gate", ".berth > a, .gate"],
])("the plain name of %j", (text, name) => expect(plainName(text)).toBe(name));

test("a type that may be absent is the type", () => expect(ownersOf("Map<K, V>?")).toEqual(["Map"]));
