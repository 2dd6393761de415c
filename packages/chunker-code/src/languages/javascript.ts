import type { Language } from "../language.js";

/** Shared with TypeScript, whose grammar has all of these nodes; only what names a class differs. */
export const ECMASCRIPT = `
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @method
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @function.value
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @function.value
(variable_declarator name: (identifier) @name value: (generator_function body: (_) @body)) @function.value
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class.value
(assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @function.value
(assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name) right: (class body: (_) @body)) @class.value
(pair key: [(property_identifier) (string)] @name value: (function_expression body: (_) @body)) @method.value
(pair key: [(property_identifier) (string)] @name value: (arrow_function body: (_) @body)) @method.value
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement "default" @name value: (function_expression !name body: (_) @body)) @function
(export_statement "default" @name value: (arrow_function body: (_) @body)) @function
(export_statement "default" @name value: (object) @body) @object
(export_statement) @wrapper
(lexical_declaration) @wrapper
(variable_declaration) @wrapper
(expression_statement (assignment_expression)) @wrapper
(decorator) @attribute
(comment) @comment
`;

export const javascript: Language = {
  name: "javascript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  fileNames: ["jakefile"],
  mediaTypes: ["text/javascript", "application/javascript", "application/x-javascript", "text/x-jsx"],
  interpreters: ["node", "zx"],
  syntax: {
    grammar: "javascript",
    query: `
(class_declaration name: (_) @name body: (_) @body) @class
(class_body member: (field_definition property: (_) @name value: (arrow_function body: (_) @body)) @method)
(class_body member: (field_definition property: (_) @name value: (function_expression body: (_) @body)) @method)
(export_statement "default" @name value: (class !name body: (_) @body)) @class
${ECMASCRIPT}`,
  },
};
