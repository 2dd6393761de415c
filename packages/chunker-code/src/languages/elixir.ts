import type { Language } from "../language.js";

export const elixir: Language = {
  name: "elixir",
  extensions: ["ex", "exs"],
  mediaTypes: ["text/x-elixir"],
  interpreters: ["elixir"],
  syntax: {
    grammar: "elixir",
    query: `
((call target: (identifier) @keyword (arguments . (alias) @name) (do_block) @body) @module
  (#match? @keyword "^(defmodule|defprotocol)$"))
((call target: (identifier) @keyword (arguments . (alias) @name) (do_block) @body) @impl
  (#eq? @keyword "defimpl"))
((call target: (identifier) @keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator operator: _ @name)]) (do_block)? @body) @function
  (#match? @keyword "^(def|defp|defdelegate|defguard|defguardp|defn|defnp)$") (#not-eq? @name "when"))
((call target: (identifier) @keyword
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name))]) (do_block)? @body) @macro
  (#match? @keyword "^(defmacro|defmacrop)$"))
((call target: (identifier) @keyword
  (arguments . [(string) @name (call target: (identifier) @name)]) (do_block) @body) @test
  (#match? @keyword "^(test|describe)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @keyword
  (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @type
  (#match? @keyword "^(type|typep|opaque)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @keyword
  (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @function
  (#match? @keyword "^(callback|macrocallback)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @keyword)) @attribute
  (#match? @keyword "^(spec|impl|deprecated|since|tag|decorate)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @keyword)) @comment
  (#match? @keyword "^(doc|typedoc)$"))
((unary_operator operator: "@" operand: (call target: (identifier) @keyword)) @docstring
  (#eq? @keyword "moduledoc"))
(comment) @comment
`,
  },
};
