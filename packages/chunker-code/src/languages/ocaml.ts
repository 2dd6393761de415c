import type { Language } from "../language.js";

export const ocaml: Language = {
  name: "ocaml",
  extensions: ["ml"],
  mediaTypes: ["text/x-ocaml"],
  interpreters: ["ocaml"],
  syntax: {
    grammar: "ocaml",
    query: `
(compilation_unit (value_definition (let_binding pattern: (value_name) @name (parameter)) @function))
(structure (value_definition (let_binding pattern: (value_name) @name (parameter)) @function))
(compilation_unit (value_definition
  (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)]) @function))
(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @constant))
(structure (value_definition (let_binding pattern: (value_name) @name) @constant))
(module_definition (module_binding (module_name) @name body: (_)? @body)) @module
(module_type_definition (module_type_name) @name body: (_)? @body) @interface
(type_definition (type_binding name: (_) @name)) @type
(exception_definition (constructor_declaration (constructor_name) @name)) @exception
(external (value_name) @name) @function
(class_definition (class_binding (class_name) @name body: (_)? @body)) @class
(method_definition (method_name) @name) @method
(value_specification (value_name) @name) @function
(value_definition) @wrapper
(comment) @comment
`,
  },
};
