import type { Language } from "../language.js";

const HEADINGS = [1, 2, 3, 4, 5, 6]
  .map((level) => `((element (start_tag (tag_name) @keyword)) @heading${level} (#match? @keyword "^[hH]${level}$"))`)
  .join("\n");

export const html: Language = {
  name: "html",
  extensions: ["html", "htm", "xhtml"],
  mediaTypes: ["text/html", "application/xhtml+xml"],
  syntax: {
    grammar: "html",
    isText: true,
    hasSymbols: false,
    query: `
${HEADINGS}
(script_element) @section
(style_element) @section
(script_element (start_tag) @tag (raw_text) @embedded)
(style_element (start_tag) @tag (raw_text) @embedded)
(comment) @comment
`,
  },
};
