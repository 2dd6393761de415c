import type { Language } from "../language.js";

/** What `let` defines in a file or a module: elsewhere it names what is used once. */
const valuesIn = (node: string): string => `
(${node} (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name (parameter)) @function))
(${node} (value_definition
  (let_binding pattern: [(value_name) (parenthesized_operator)] @name
    body: [(fun_expression) (function_expression)]) @function))
(${node} (value_definition (let_binding pattern: (value_name) @name) @constant))
`;

export const ocaml: Language = {
  name: "ocaml",
  extensions: ["ml"],
  mediaTypes: ["text/x-ocaml"],
  interpreters: ["ocaml"],
  syntax: {
    grammar: "ocaml",
    rootQuery: valuesIn("compilation_unit"),
    query: `
${valuesIn("structure")}
(module_definition (module_binding (module_name) @name body: (_)? @body)) @module
(module_type_definition (module_type_name) @name body: (_)? @body) @interface
(type_definition (type_binding name: (_) @name) @type)
(type_definition) @wrapper
(exception_definition (constructor_declaration (constructor_name) @name)) @exception
(external (value_name) @name) @function
(class_type_definition (class_type_binding (class_type_name) @name body: (_)? @body)) @interface
(class_definition (class_binding (class_name) @name body: (_)? @body)) @class
(method_definition (method_name) @name) @method
(value_specification (value_name) @name) @function
(value_definition) @wrapper
(comment) @comment
`,
  },
};
