import type { Language } from "../language.js";

export const swift: Language = {
  name: "swift",
  extensions: ["swift"],
  mediaTypes: ["text/x-swift"],
  interpreters: ["swift"],
  syntax: {
    grammar: "swift",
    rootQuery: "(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @constant)",
    // Operators and bodies that are asked for by their nodes take seconds to compile in this grammar.
    query: `
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @enum
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @actor
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @impl
(class_declaration name: (_) @name body: (_) @body) @class
(protocol_declaration name: (_) @name body: (_) @body) @protocol
(function_declaration "func" . (simple_identifier) @name body: (_)? @body) @function
(function_declaration "func" @before) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(function_declaration "init" @name) @constructor
(protocol_function_declaration "init" @name) @constructor
(deinit_declaration "deinit" @name body: (_) @body) @method
(class_body (property_declaration
  name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @property)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @property)
(subscript_declaration "subscript" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(attribute) @attribute
(comment) @comment
(multiline_comment) @comment
`,
  },
};
