import type { Language } from "../language.js";

export const csharp: Language = {
  name: "csharp",
  extensions: ["cs", "csx"],
  mediaTypes: ["text/x-csharp"],
  interpreters: ["dotnet-script"],
  syntax: {
    grammar: "csharp",
    query: `
(namespace_declaration name: (_) @name body: (_) @body) @namespace
(class_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @struct
(interface_declaration name: (_) @name body: (_)? @body) @interface
(record_declaration name: (_) @name body: (_)? @body) @record
(enum_declaration name: (_) @name body: (_) @body) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @constructor
(destructor_declaration name: (_) @name body: (_)? @body) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(property_declaration name: (_) @name accessors: (_)? @body) @property
(indexer_declaration "this" @name accessors: (_)? @body) @property
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @event
(event_declaration name: (_) @name accessors: (_)? @body) @event
(conversion_operator_declaration type: (_) @name body: (_)? @body) @method
(operator_declaration operator: _ @name body: (_)? @body) @method
((field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (_) @name))) @constant
  (#eq? @modifier "const"))
(attribute_list) @attribute
(comment) @comment
`,
  },
};
