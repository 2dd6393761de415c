import type { Language } from "../language.js";

export const php: Language = {
  name: "php",
  extensions: ["php", "phtml", "php5", "phps"],
  mediaTypes: ["text/x-php", "application/x-httpd-php"],
  interpreters: ["php"],
  syntax: {
    grammar: "php",
    query: `
(namespace_definition name: (_) @name body: (_) @body) @namespace
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @trait
(enum_declaration name: (_) @name body: (_) @body) @enum
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(const_declaration (const_element . (name) @name) @constant)
(const_declaration) @wrapper
(attribute_list) @attribute
(comment) @comment
`,
  },
};
