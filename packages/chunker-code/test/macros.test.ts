import { expect, test } from "vitest";
import { symbolsIn } from "./check.js";

test.each([
  ["class EXPORT Isolate {\n public:\n  void enter() {}\n};\n", ["class Isolate", "method enter"]],
  ["class V8_EXPORT Isolate final : public Data {\n  void enter() {}\n};\n", ["class Isolate", "method enter"]],
  ["struct API_TYPE(2) Point : Base<int, 3> {\n  int x() { return 1; }\n};\n", ["struct Point", "method x"]],
  [
    "template <class T>\nclass DEPRECATED raw_iterator\n  : public base<T>\n{\n  T at() { return t; }\n};\n",
    ["class raw_iterator", "method at"],
  ],
  ["class GPU { void run() {} };\n", ["class GPU", "method run"]],
  ["class ABC : public XYZ { void run() {} };\n", ["class ABC", "method run"]],
  ["class EXPORT Forward;\n\nclass GPU *device() { return 0; }\n", ["function device"]],
])("a macro in front of the name of a type is no name: %j", (text, expected) => {
  expect(symbolsIn(text, "api.hpp")).toEqual(expected);
});

test("a line with nothing but a macro belongs to no definition", () => {
  const header = `__BEGIN_DECLS

/* Identifier for the conversion. */
typedef void *iconv_t;

struct state {
  int count;
};

enum mode {
  MODE_A,
  LIST_END
};

__END_DECLS
`;
  expect(symbolsIn(header, "iconv.h")).toEqual(["type iconv_t", "struct state", "enum mode"]);
});

test("a type behind the start of a namespace by macro is found", () => {
  const header = "LIB_BEGIN_NAMESPACE\n\nclass Widget {\n  void paint() {}\n};\n\nLIB_END_NAMESPACE\n";
  expect(symbolsIn(header, "widget.hpp")).toEqual(["class Widget", "method paint"]);
});
