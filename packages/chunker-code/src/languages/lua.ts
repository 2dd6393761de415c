import type { Language } from "../language.js";

export const lua: Language = {
  name: "lua",
  extensions: ["lua", "luau", "rockspec"],
  mediaTypes: ["text/x-lua"],
  interpreters: ["lua", "luajit", "luau"],
  syntax: {
    grammar: "lua",
    rootQuery: `
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name)) @variable))
(chunk (assignment_statement (variable_list . name: (identifier) @name)) @variable)
`,
    query: `
(function_declaration name: (identifier) @name body: (_)? @body) @function
(function_declaration name: (dot_index_expression) @name body: (_)? @body) @function
(function_declaration name: (method_index_expression) @name body: (_)? @body) @method
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @name)
  (expression_list . value: (function_definition body: (_)? @body))) @function.value
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @function.value
(assignment_statement
  (variable_list . name: (dot_index_expression) @name) (expression_list . value: (table_constructor))) @variable
(variable_declaration) @wrapper
(comment) @comment
`,
  },
};
