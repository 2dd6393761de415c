import type { Language } from "../language.js";
import { ECMASCRIPT, ECMASCRIPT_ROOT } from "./javascript.js";

const QUERY = `
(class_declaration name: (_) @name body: (_) @body) @class
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(export_statement "default" @name value: (class !name body: (_) @body)) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(type_alias_declaration name: (_) @name) @type
(internal_module name: (_) @name body: (_) @body) @namespace
(module name: (_) @name body: (_) @body) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @method
(public_field_definition name: (_) @name value: (function_expression body: (_) @body)) @method
(ambient_declaration (statement_block (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(ambient_declaration "declare" . [
  (function_signature) (lexical_declaration) (variable_declaration) (class_declaration) (abstract_class_declaration)
  (interface_declaration) (enum_declaration) (type_alias_declaration) (internal_module) (module)]) @wrapper
${ECMASCRIPT}(internal_module body: (statement_block
  [(lexical_declaration (variable_declarator name: (identifier) @name) @constant)
   (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))]))
(internal_module body: (statement_block
  [(lexical_declaration) @wrapper (export_statement (lexical_declaration) @wrapper)]))
`;

export const typescript: Language = {
  name: "typescript",
  extensions: ["ts", "mts", "cts"],
  mediaTypes: ["text/x-typescript", "application/typescript", "text/typescript"],
  interpreters: ["deno", "tsx", "ts-node", "bun"],
  syntax: { grammar: "typescript", query: QUERY, rootQuery: ECMASCRIPT_ROOT },
};

export const tsx: Language = {
  name: "tsx",
  extensions: ["tsx"],
  mediaTypes: ["text/x-tsx"],
  syntax: { grammar: "tsx", query: QUERY, rootQuery: ECMASCRIPT_ROOT },
};
