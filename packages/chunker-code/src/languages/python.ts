import type { Language } from "../language.js";

export const python: Language = {
  name: "python",
  extensions: ["py", "pyi", "pyw"],
  fileNames: ["sconstruct", "sconscript", "wscript"],
  mediaTypes: ["text/x-python"],
  interpreters: ["python", "pypy", "uv"],
  syntax: {
    grammar: "python",
    rootQuery: `
(module (expression_statement (assignment left: (identifier) @name) @constant))
(module (type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type)
(module . (comment)* . (expression_statement (string) @docstring))
`,
    query: `
(class_definition name: (identifier) @name body: (_) @body) @class
(function_definition name: (identifier) @name body: (_) @body) @function
(decorated_definition) @wrapper
(decorator) @attribute
(comment) @comment
(class_definition body: (block . (comment)* . (expression_statement (string) @docstring)))
(function_definition body: (block . (comment)* . (expression_statement (string) @docstring)))
`,
  },
};
