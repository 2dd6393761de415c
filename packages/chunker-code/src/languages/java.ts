import type { Language } from "../language.js";

export const java: Language = {
  name: "java",
  extensions: ["java"],
  mediaTypes: ["text/x-java", "text/x-java-source"],
  interpreters: ["jbang"],
  syntax: {
    grammar: "java",
    query: `
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(record_declaration name: (_) @name body: (_) @body) @record
(annotation_type_declaration name: (_) @name body: (_) @body) @annotation
(method_declaration name: (_) @name body: (_)? @body) @method
(annotation_type_element_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name body: (_) @body) @constructor
(compact_constructor_declaration name: (_) @name body: (_) @body) @constructor
((field_declaration (modifiers) @modifiers declarator: (variable_declarator name: (_) @name)) @constant
  (#match? @modifiers "static") (#match? @modifiers "final"))
(constant_declaration declarator: (variable_declarator name: (_) @name)) @constant
(modifiers [(annotation) (marker_annotation)] @attribute)
(line_comment) @comment
(block_comment) @comment
`,
  },
};
