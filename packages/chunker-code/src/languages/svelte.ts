import type { Language } from "../language.js";

export const svelte: Language = {
  name: "svelte",
  extensions: ["svelte"],
  mediaTypes: ["text/x-svelte"],
  syntax: {
    grammar: "svelte",
    isText: true,
    query: `
(script_element) @section
(style_element) @section
(script_element (start_tag) @tag (raw_text) @embedded)
(style_element (start_tag) @tag (raw_text) @embedded)
(comment) @comment
`,
  },
};
