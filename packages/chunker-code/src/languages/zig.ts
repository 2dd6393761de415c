import type { Language } from "../language.js";

export const zig: Language = {
  name: "zig",
  extensions: ["zig", "zon"],
  mediaTypes: ["text/x-zig"],
  syntax: {
    grammar: "zig",
    rootQuery: `
(source_file (variable_declaration . "pub"? . "const" . (identifier) @name) @constant)
(source_file (variable_declaration "var" . (identifier) @name) @variable)
`,
    query: `
(function_declaration name: (identifier) @name body: (_)? @body) @function
(variable_declaration (identifier) @name (struct_declaration) @body) @struct
(variable_declaration (identifier) @name (enum_declaration) @body) @enum
(variable_declaration (identifier) @name (union_declaration) @body) @union
(variable_declaration (identifier) @name (opaque_declaration) @body) @struct
(variable_declaration (identifier) @name (error_set_declaration) @body) @enum
(test_declaration (string) @name (block) @body) @test
(comment) @comment
`,
  },
};
