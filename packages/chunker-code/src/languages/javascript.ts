import type { Language } from "../language.js";

/** Shared with TypeScript, whose grammar has all of these nodes; only what names a class differs. */
export const ECMASCRIPT = `
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]
) @function.value
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class.value
(assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name)
  right: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)]) @function.value
(assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name) right: (class !name body: (_) @body)) @class.value
((assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name)
  right: (function_expression name: (_) body: (_) @body)) @function.value (#not-eq? @name "exports"))
((assignment_expression
  left: (member_expression object: (_) @owner property: (_) @name)
  right: (class name: (_) body: (_) @body)) @class.value (#not-eq? @name "exports"))
((assignment_expression
  left: (member_expression property: (_) @property) right: (function_expression name: (_) @name body: (_) @body)
) @function.value (#eq? @property "exports"))
((assignment_expression
  left: (member_expression property: (_) @property) right: (class name: (_) @name body: (_) @body)
) @class.value (#eq? @property "exports"))
(pair key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method.value
(export_statement "default" @name value: (function_expression !name body: (_) @body)) @function
(export_statement "default" @name value: (arrow_function body: (_) @body)) @function
(export_statement "default" @name value: (object) @body) @object
(export_statement) @wrapper
(lexical_declaration (variable_declarator
  value: [(arrow_function) (function_expression) (generator_function) (class)])) @wrapper
(variable_declaration (variable_declarator
  value: [(arrow_function) (function_expression) (generator_function) (class)])) @wrapper
(decorator) @attribute
(comment) @comment
`;

/** What is a constant or variable of a module, not of a block in it. */
export const ECMASCRIPT_ROOT = `
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(program [(lexical_declaration) (variable_declaration)] @wrapper)
(program (export_statement [(lexical_declaration) (variable_declaration)] @wrapper))
`;

export const javascript: Language = {
  name: "javascript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  fileNames: ["jakefile"],
  mediaTypes: ["text/javascript", "application/javascript", "application/x-javascript", "text/x-jsx"],
  interpreters: ["node", "zx"],
  syntax: {
    grammar: "javascript",
    rootQuery: ECMASCRIPT_ROOT,
    query: `
(class_declaration name: (_) @name body: (_) @body) @class
(class_body member: (field_definition property: (_) @name value: (arrow_function body: (_) @body)) @method)
(class_body member: (field_definition property: (_) @name value: (function_expression body: (_) @body)) @method)
(export_statement "default" @name value: (class !name body: (_) @body)) @class
${ECMASCRIPT}`,
  },
};
