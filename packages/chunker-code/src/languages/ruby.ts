import type { Language } from "../language.js";

export const ruby: Language = {
  name: "ruby",
  extensions: ["rb", "rake", "gemspec", "ru", "rbi"],
  fileNames: ["rakefile", "gemfile", "podfile", "brewfile", "vagrantfile", "fastfile", "guardfile"],
  mediaTypes: ["text/x-ruby"],
  interpreters: ["ruby", "jruby", "rake"],
  syntax: {
    grammar: "ruby",
    rootQuery: "(program (assignment left: (constant) @name) @constant)",
    query: `
(module name: (_) @name body: (_)? @body) @module
(class name: (_) @name body: (_)? @body) @class
(body_statement (method name: (_) @name body: (_)? @body) @method)
(method name: (_) @name body: (_)? @body) @function
(singleton_method object: (constant) @owner name: (_) @name body: (_)? @body) @method
(singleton_method name: (_) @name body: (_)? @body) @method
(singleton_class value: (_) @name body: (_)? @body) @section
(alias name: (_) @name) @method
((call !receiver method: (identifier) @keyword arguments: (argument_list (simple_symbol) @name)) @property
  (#match? @keyword "^attr_(reader|writer|accessor)$"))
((call !receiver method: (identifier) @keyword arguments: (argument_list . (simple_symbol) @name)) @method
  (#match? @keyword "^(alias_method|define_method|define_singleton_method)$"))
(module body: (body_statement (assignment left: (constant) @name) @constant))
(class body: (body_statement (assignment left: (constant) @name) @constant))
(comment) @comment
`,
  },
};
