import type { Language } from "../language.js";

export const go: Language = {
  name: "go",
  extensions: ["go"],
  mediaTypes: ["text/x-go"],
  syntax: {
    grammar: "go",
    query: `
(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (_) @name body: (_)? @body) @method
(type_declaration (type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @struct)
(type_declaration (type_spec name: (_) @name type: (interface_type "{" @body)) @interface)
(method_elem name: (_) @name) @method
(type_declaration (type_spec name: (_) @name) @type)
(type_declaration (type_alias name: (_) @name) @type)
(const_spec (identifier) @name) @constant
(var_spec name: (_) @name) @variable
((type_declaration) @wrapper (#match? @wrapper "^type\\\\s+[^(\\\\s]"))
((const_declaration) @wrapper (#match? @wrapper "^const\\\\s+[^(\\\\s]"))
((var_declaration) @wrapper (#match? @wrapper "^var\\\\s+[^(\\\\s]"))
(comment) @comment
`,
  },
};
