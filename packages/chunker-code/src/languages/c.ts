import type { Language } from "../language.js";

/** Shared with C++. The declarator of a function may lie in pointers: `char *name(void)`. */
export const C_LIKE = `
(preproc_function_def name: (_) @name) @macro
(preproc_def name: (_) @name value: (_)) @constant
(struct_specifier name: (type_identifier) @name body: (_) @body) @struct
(union_specifier name: (type_identifier) @name body: (_) @body) @union
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum
(type_definition type: (struct_specifier body: (_) @body) declarator: (type_identifier) @name) @struct
(type_definition type: (union_specifier body: (_) @body) declarator: (type_identifier) @name) @union
(type_definition type: (enum_specifier body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition type: (struct_specifier body: (_) @body)
  declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
])) @variable
(comment) @comment
`;

/**
 * Macros that a grammar takes for the name of a type or for the start of what follows: `class EXPORT Name {`, and lines
 * such as `__BEGIN_DECLS`. An enumerator at the end of its list stays.
 */
export const MACROS: RegExp = new RegExp(
  // All repetitions have an end: a hostile line must not cost more than its length.
  String.raw`(?<=\b(?:class|struct|union)[ \t]{1,20})[A-Z_][A-Z0-9_]{1,60}(?:\([^()\n]{0,100}\))?` +
    String.raw`(?=\s{1,40}[A-Za-z_][\w:<>, \t]{0,200}?\s{0,40}[{:])` +
    String.raw`|^[ \t]{0,40}[A-Z0-9_]{0,60}(?:BEGIN|END|DECLS)[A-Z0-9_]{0,60}[ \t]{0,40}$(?!\s*\})`,
  "gm",
);

export const c: Language = {
  name: "c",
  extensions: ["c", "h"],
  mediaTypes: ["text/x-c", "text/x-csrc", "text/x-chdr"],
  interpreters: ["tcc"],
  syntax: {
    grammar: "c",
    unread: MACROS,
    query: `
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  body: (_) @body) @function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) body: (_) @body) @function
(function_definition
  type: (type_identifier) @name declarator: (parenthesized_declarator (identifier)) body: (_) @body) @function
${C_LIKE}`,
  },
};
