import type { Language } from "../language.js";

export const ruby: Language = {
  name: "ruby",
  extensions: ["rb", "rake", "gemspec", "ru", "rbi"],
  fileNames: ["rakefile", "gemfile", "podfile", "brewfile", "vagrantfile", "fastfile", "guardfile"],
  mediaTypes: ["text/x-ruby"],
  interpreters: ["ruby", "jruby", "rake"],
  syntax: {
    grammar: "ruby",
    query: `
(module name: (_) @name body: (_)? @body) @module
(class name: (_) @name body: (_)? @body) @class
(body_statement (method name: (_) @name body: (_)? @body) @method)
(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @method
(singleton_class value: (_) @name body: (_)? @body) @section
(alias name: (_) @name) @method
(program (assignment left: (constant) @name) @constant)
(module body: (body_statement (assignment left: (constant) @name) @constant))
(class body: (body_statement (assignment left: (constant) @name) @constant))
(comment) @comment
`,
  },
};
