import type { Language } from "../language.js";

export const css: Language = {
  name: "css",
  extensions: ["css"],
  mediaTypes: ["text/css"],
  syntax: {
    grammar: "css",
    hasSymbols: false,
    query: `
(rule_set (selectors) @name (block) @body) @rule
(media_statement (block) @body) @rule
(supports_statement (block) @body) @rule
(keyframes_statement (keyframe_block_list) @body) @rule
(at_rule (block) @body) @rule
((declaration (property_name) @name) @property (#match? @name "^--"))
(comment) @comment
`,
  },
};
