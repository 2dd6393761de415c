import type { Language } from "../language.js";

export const bash: Language = {
  name: "bash",
  extensions: ["sh", "bash", "zsh", "ksh", "bats"],
  fileNames: [".bashrc", ".bash_profile", ".profile", ".zshrc"],
  mediaTypes: ["text/x-shellscript", "application/x-sh"],
  interpreters: ["sh", "bash", "zsh", "ksh", "dash", "ash", "bats"],
  syntax: {
    grammar: "bash",
    rootQuery: `
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)
`,
    query: `
(function_definition name: (_) @name body: (_) @body) @function
(comment) @comment
`,
  },
};
