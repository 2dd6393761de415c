import type { Language } from "../language.js";

export const scala: Language = {
  name: "scala",
  extensions: ["scala", "sc", "sbt"],
  mediaTypes: ["text/x-scala"],
  interpreters: ["scala", "amm"],
  syntax: {
    grammar: "scala",
    rootQuery: "(compilation_unit (val_definition pattern: (identifier) @name) @constant)",
    query: `
(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @object
(package_object name: (_) @name body: (_)? @body) @object
(trait_definition name: (_) @name body: (_)? @body) @trait
(enum_definition name: (_) @name body: (_)? @body) @enum
(given_definition name: (_) @name body: (_)? @body) @instance
(extension_definition parameters: (parameters . (parameter type: (_) @name)) body: (_)? @body) @impl
(function_definition name: (_) @name body: (_)? @body) @function
(function_declaration name: (_) @name) @function
(type_definition name: (_) @name) @type
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @constant))
(annotation) @attribute
(comment) @comment
(block_comment) @comment
`,
  },
};
