import { describe, expect, test } from "vitest";
import { checked } from "./check.js";
import { symbolsOf } from "./chunk.js";

interface ClassSample {
  readonly file: string;
  readonly head: string;
  /** A documented method; `name` is unique. */
  readonly method: (name: string) => string;
  readonly tail: string;
  /** The signature that every piece but the first carries. */
  readonly signature: string;
}

const CLASSES: readonly ClassSample[] = [
  {
    file: "registry.py",
    head: '@register("tides")\nclass TideRegistry(Base[T], metaclass=Meta):\n    """Keeps tides."""\n\n    limit = 3\n\n',
    method: (name) =>
      `    # Reads ${name}.\n    @cached\n    def ${name}(self, port):\n        value = self.level * len(port)\n        return value\n\n`,
    tail: "",
    signature: "class TideRegistry(Base[T], metaclass=Meta)",
  },
  {
    file: "Registry.java",
    head: '@Service("tides")\npublic final class TideRegistry<T> extends Base implements Closeable {\n    private int level;\n\n',
    method: (name) =>
      `    /** Reads ${name}. */\n    @Override\n    public int ${name}(String port) throws IOException {\n        return level * port.length();\n    }\n\n`,
    tail: "}\n",
    signature: "public final class TideRegistry<T> extends Base implements Closeable",
  },
  {
    file: "registry.kt",
    head: "/** Keeps tides. */\nopen class TideRegistry<T : Any>(val level: Int) : Base() {\n    private val seen = 1\n\n",
    method: (name) =>
      `    // Reads ${name}.\n    @Throws(IOException::class)\n    fun ${name}(port: String): Int {\n        return level * port.length\n    }\n\n`,
    tail: "}\n",
    signature: "open class TideRegistry<T : Any>(val level: Int) : Base()",
  },
  {
    file: "Registry.cs",
    head: "/// <summary>Keeps tides.</summary>\npublic partial class TideRegistry<T> : Base where T : new()\n{\n    private int level;\n\n",
    method: (name) =>
      `    /// <summary>Reads ${name}.</summary>\n    [Cached(10)]\n    public int ${name}(string port)\n    {\n        return level * port.Length;\n    }\n\n`,
    tail: "}\n",
    signature: "public partial class TideRegistry<T> : Base where T : new()",
  },
  {
    file: "registry.rb",
    head: "# Keeps tides.\nclass TideRegistry < Base::Registry\n  LIMIT = 3\n\n",
    method: (name) =>
      `  # Reads ${name}.\n  def ${name}(port)\n    value = @level * port.size\n    value.abs\n  end\n\n`,
    tail: "end\n",
    signature: "class TideRegistry < Base::Registry",
  },
  {
    file: "Registry.php",
    head: "<?php\n#[Service]\nfinal class TideRegistry extends Base implements Countable\n{\n    private int $level = 0;\n\n",
    method: (name) =>
      `    /** Reads ${name}. */\n    #[Cached]\n    public function ${name}(string $port): int\n    {\n        return $this->level * strlen($port);\n    }\n\n`,
    tail: "}\n",
    signature: "final class TideRegistry extends Base implements Countable",
  },
  {
    file: "registry.swift",
    head: "/// Keeps tides.\npublic final class TideRegistry: Base, Closable {\n  private var level = 0\n\n",
    method: (name) =>
      `  /// Reads ${name}.\n  @discardableResult\n  func ${name}(port: String) -> Int {\n    return level * port.count\n  }\n\n`,
    tail: "}\n",
    signature: "public final class TideRegistry: Base, Closable",
  },
  {
    file: "registry.rs",
    head: "/// Keeps tides.\nimpl<T: Clone> TideRegistry<T> where T: Send {\n    const LIMIT: u8 = 3;\n\n",
    method: (name) =>
      `    /// Reads ${name}.\n    #[inline]\n    pub fn ${name}(&self, port: &str) -> usize {\n        self.level * port.len()\n    }\n\n`,
    tail: "}\n",
    signature: "impl<T: Clone> TideRegistry<T> where T: Send",
  },
  {
    file: "registry.cpp",
    head: "/// Keeps tides.\ntemplate <typename T>\nclass TideRegistry : public Base<T> {\n public:\n  int level = 0;\n\n",
    method: (name) =>
      `  /// Reads ${name}.\n  [[nodiscard]]\n  int ${name}(const std::string& port) const {\n    return level * port.size();\n  }\n\n`,
    tail: "};\n",
    signature: "template <typename T> class TideRegistry : public Base<T>",
  },
  {
    file: "registry.scala",
    head: "/** Keeps tides. */\nfinal class TideRegistry[T](level: Int) extends Base with Closable {\n  val limit = 3\n\n",
    method: (name) =>
      `  /** Reads ${name}. */\n  @throws[IOException]\n  def ${name}(port: String): Int = {\n    val size = port.length\n    level * size\n  }\n\n`,
    tail: "}\n",
    signature: "final class TideRegistry[T](level: Int) extends Base with Closable",
  },
  {
    file: "registry.ex",
    head: 'defmodule TideRegistry do\n  @moduledoc "Keeps tides."\n  use GenServer\n\n',
    method: (name) =>
      `  @doc "Reads ${name}."\n  @spec ${name}(binary()) :: integer()\n  def ${name}(port) do\n    size = byte_size(port)\n    size * 2\n  end\n\n`,
    tail: "end\n",
    signature: "defmodule TideRegistry",
  },
  {
    file: "registry.js",
    head: "/** Keeps tides. */\nmodule.exports = class TideRegistry extends mixin(Base) {\n  #level = 0;\n\n",
    method: (name) =>
      `  /** Reads ${name}. */\n  @memo\n  async ${name}(port = "north") {\n    const size = port.length;\n    return this.#level * size;\n  }\n\n`,
    tail: "};\n",
    signature: "module.exports = class TideRegistry extends mixin(Base)",
  },
];

describe.each(CLASSES)("a large class in $file", ({ file, head, method, tail, signature }) => {
  const names = Array.from({ length: 25 }, (_, n) => `read${String(n).padStart(2, "0")}`);
  const text = head + names.map(method).join("") + tail;
  const result = checked(text, file, { maxSize: 500 });

  test("has each method in one chunk, with what stands in front of it", () => {
    for (const name of names) {
      const holders = result.chunks.filter((each) => each.text.includes(`Reads ${name}.`));
      expect(holders).toHaveLength(1);
      expect(holders[0]!.text).toContain(method(name).trim());
    }
  });

  test("gives every piece the signature of the class once: in its text or as its context", () => {
    expect(result.chunks.length).toBeGreaterThan(5);
    expect(result.chunks.filter(({ context }) => context === undefined)).toHaveLength(1);
    for (const { context } of result.chunks.slice(1)) expect(context).toBe(signature);
    for (const { headingPath } of result.chunks) expect(headingPath[0]).toBe("TideRegistry");
  });

  test("knows its methods by their full names, with their documentation", () => {
    const methods = symbolsOf(result).filter(({ name }) => name.startsWith("read"));
    expect(methods.map(({ qualifiedName }) => qualifiedName)).toEqual(names.map((name) => `TideRegistry.${name}`));
    for (const { name, documentation } of methods) expect(documentation).toBe(`Reads ${name}.`);
  });
});

test.each([
  ["a.go", "// Opens it.\n//\n//nolint:errcheck\nfunc Open() {}", "func Open"],
  ["a.rs", "/// Opens it.\n#[cfg(test)]\n// A remark.\n#[inline]\npub fn open() {}", "pub fn open"],
  ["a.c", "/* Opens it.\n */\n__attribute__((noinline))\nstatic int open(void)\n{\n  return 1;\n}", "static int open"],
  ["a.lua", "--- Opens it.\n-- @return boolean\nlocal function open() end", "local function open"],
  ["a.sh", "# Opens it.\n# Twice.\nopen_gate() {\n  :\n}", "open_gate()"],
  ["a.hs", "-- | Opens it.\nopenGate :: Int -> Int\nopenGate n = n + 1", "openGate n"],
  ["a.ml", "(** Opens it. *)\nlet open_gate n = n + 1", "let open_gate"],
  ["a.zig", "/// Opens it.\npub fn open() void {}", "pub fn open"],
  ["a.sql", "-- Opens it.\nCREATE VIEW open AS SELECT 1;", "CREATE VIEW"],
  ["a.css", "/* Opens it. */\n.gate {\n  color: teal;\n}", ".gate"],
  ["a.yaml", "# Opens it.\ngate:\n  open: true", "gate:"],
  ["a.toml", "# Opens it.\n[gate]\nopen = true", "[gate]"],
  [
    "a.tsx",
    "// Opens it.\n// eslint-disable-next-line no-undef\nexport const Open = () => <p>Open</p>;",
    "export const Open",
  ],
])("in %s comments and attributes go with the definition behind them", (file, definition, name) => {
  const filler = {
    "a.go": "func Filler() {\n\tcall(1)\n}",
    "a.rs": "fn filler() {\n    call(1);\n}",
    "a.c": "int filler(void)\n{\n  return call(1);\n}",
    "a.lua": "local function filler()\n  return call(1)\nend",
    "a.sh": "filler() {\n  call 1\n}",
    "a.hs": "filler :: Int -> Int\nfiller n = call n",
    "a.ml": "let filler n =\n  call n",
    "a.zig": "fn filler() void {\n    call(1);\n}",
    "a.sql": "CREATE TABLE filler (id int, name text);",
    "a.css": ".filler {\n  color: navy;\n}",
    "a.yaml": "filler:\n  open: false\n  size: 12",
    "a.toml": "[filler]\nopen = false\nsize = 12",
    "a.tsx": "function Filler() {\n  return <p>Filler</p>;\n}",
  }[file]!;
  const { chunks } = checked(`${filler}\n\n${definition}\n\n${filler.replace(/iller/g, "illed")}\n`, file, {
    maxSize: Math.max(definition.length, filler.length) + 4,
  });
  expect(chunks.find((each) => each.text.includes(name))!.text).toBe(definition);
});

test.each([
  ["a.vue", "<template><p/></template>\n", '<script lang="ts">', '<script setup lang="ts">'],
  ["a.svelte", "<p>Text</p>\n", '<script context="module" lang="ts">', '<script lang="ts">'],
  ["a.html", "<h1>Page</h1>\n", "<script>", '<script type="module">'],
])("%s: both scripts are read, with the lines of the file", (file, before, first, second) => {
  const text = `${before}${first}\nexport function one() {}\n</script>\n\n${second}\n// Two.\nexport const two = () => 2;\n</script>\n<style>\np { color: teal; }\n</style>\n`;
  const symbols = symbolsOf(checked(text, file));
  expect(symbols.map(({ name, line, documentation }) => [name, line, documentation])).toEqual([
    ["one", 3, undefined],
    ["two", 8, "Two."],
  ]);
});

test.each([
  [
    "a.py",
    "def before():\n    return 1\n\n\nvalue = (1,\n\n\nclass After:\n    def method(self):\n        return 2\n",
    "method",
  ],
  ["a.ts", "function before() {}\n\nconst broken = {{{;\n\nfunction after(): void {}\n", "before"],
  ["a.go", "package a\n\nfunc before() {}\n\nvar x = = 3\n\nfunc after() {}\n", "after"],
  ["a.rs", "fn before() {}\n\nlet = ;\n\nfn after() {}\n", "after"],
  ["a.java", "class A {\n  void before() {}\n  int = ;\n  void after() {}\n}\n", "after"],
  ["a.php", "<?php\nfunction before() {}\n$a = = 3;\nfunction after() {}\n", "after"],
])("%s with a fault in it still has its definitions", (file, text, name) => {
  expect(symbolsOf(checked(text, file)).map((each) => each.name)).toContain(name);
});
