import type { Language } from "../language.js";

export const json: Language = {
  name: "json",
  extensions: ["json", "jsonc", "json5", "webmanifest", "geojson"],
  fileNames: [".babelrc", ".eslintrc", ".prettierrc", "composer.lock"],
  mediaTypes: ["application/json", "application/ld+json", "application/manifest+json"],
  syntax: {
    grammar: "json",
    hasSymbols: false,
    rootQuery: `
(document (object (pair key: (_) @name value: (_) @body) @key))
(document (object (pair value: (object (pair key: (_) @name value: (_) @body) @key))))
`,
    query: "(comment) @comment",
  },
};
