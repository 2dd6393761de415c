import type { Language } from "../language.js";

export const yaml: Language = {
  name: "yaml",
  extensions: ["yaml", "yml"],
  mediaTypes: ["application/yaml", "text/yaml", "text/x-yaml"],
  syntax: {
    grammar: "yaml",
    hasSymbols: false,
    query: `
(document (block_node (block_mapping (block_mapping_pair key: (_) @name value: (_)? @body) @key)))
(document (block_node (block_mapping (block_mapping_pair
  value: (block_node (block_mapping (block_mapping_pair key: (_) @name value: (_)? @body) @key))))))
(comment) @comment
`,
  },
};
