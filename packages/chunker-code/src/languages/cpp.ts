import type { Language } from "../language.js";
import { C_LIKE, MACROS } from "./c.js";

export const cpp: Language = {
  name: "cpp",
  extensions: ["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh", "ino"],
  mediaTypes: ["text/x-c++", "text/x-c++src", "text/x-c++hdr"],
  syntax: {
    grammar: "cpp",
    unread: MACROS,
    query: `
(class_specifier name: (_) @name body: (_) @body) @class
(struct_specifier name: (template_type) @name body: (_) @body) @struct
(namespace_definition name: (_) @name body: (_) @body) @namespace
(concept_definition name: (_) @name) @concept
(alias_declaration name: (_) @name) @type
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_)? @body) @method
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
  body: (_)? @body) @method
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (qualified_identifier) @name))
  body: (_)? @body) @method
(function_definition declarator: (qualified_identifier) @name body: (_)? @body) @method
(function_definition declarator: (function_declarator declarator: (_) @name) body: (_)? @body) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)) body: (_)? @body) @function
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name)) body: (_)? @body) @function
(function_definition declarator: (operator_cast) @name body: (_)? @body) @function
(template_declaration) @wrapper
${C_LIKE}`,
  },
};
