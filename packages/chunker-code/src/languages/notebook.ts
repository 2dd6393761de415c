import type { Language } from "../language.js";

/** Its cells are read by `src/notebook.ts`. */
export const notebook: Language = {
  name: "notebook",
  extensions: ["ipynb"],
  mediaTypes: ["application/x-ipynb+json"],
};
