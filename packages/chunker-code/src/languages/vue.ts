import type { Language } from "../language.js";

export const vue: Language = {
  name: "vue",
  extensions: ["vue"],
  mediaTypes: ["text/x-vue"],
  syntax: {
    grammar: "vue",
    isText: true,
    query: `
(template_element) @section
(script_element) @section
(style_element) @section
(script_element (start_tag) @tag (raw_text) @embedded)
(style_element (start_tag) @tag (raw_text) @embedded)
(comment) @comment
`,
  },
};
