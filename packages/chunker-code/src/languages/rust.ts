import type { Language } from "../language.js";

export const rust: Language = {
  name: "rust",
  extensions: ["rs"],
  mediaTypes: ["text/x-rust", "text/rust"],
  interpreters: ["rust-script"],
  syntax: {
    grammar: "rust",
    query: `
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name body: (_)? @body) @struct
(union_item name: (_) @name body: (_) @body) @union
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @trait
(impl_item type: (_) @name body: (_) @body) @impl
(mod_item name: (_) @name body: (_)? @body) @module
(macro_definition name: (_) @name) @macro
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(attribute_item) @attribute
(line_comment) @comment
(block_comment) @comment
`,
  },
};
