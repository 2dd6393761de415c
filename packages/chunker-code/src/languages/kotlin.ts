import type { Language } from "../language.js";

export const kotlin: Language = {
  name: "kotlin",
  extensions: ["kt", "kts"],
  mediaTypes: ["text/x-kotlin"],
  interpreters: ["kotlin"],
  syntax: {
    grammar: "kotlin",
    rootQuery: `
(source_file (property_declaration (variable_declaration (identifier) @name)) @constant)
`,
    query: `
(class_declaration "interface" name: (_) @name (class_body)? @body) @interface
(class_declaration (modifiers (class_modifier "enum")) name: (_) @name (enum_class_body)? @body) @enum
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration name: (_) @name (class_body)? @body) @object
(companion_object (class_body) @body) @section
(function_declaration
  [(user_type) (nullable_type)] @owner . "." . name: (_) @name (function_body)? @body) @function
(function_declaration name: (_) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (block)? @body) @constructor
(type_alias type: (_) @name) @type
(property_declaration
  [(user_type) (nullable_type)] @owner . "." . (variable_declaration (identifier) @name) (getter) @body) @property
(property_declaration (variable_declaration (identifier) @name) (getter) @body) @property
((property_declaration (modifiers (property_modifier) @modifier) (variable_declaration (identifier) @name)) @constant
  (#eq? @modifier "const"))
(annotation) @attribute
(line_comment) @comment
(block_comment) @comment
`,
  },
};
