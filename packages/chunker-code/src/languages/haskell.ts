import type { Language } from "../language.js";

export const haskell: Language = {
  name: "haskell",
  extensions: ["hs", "hsc"],
  mediaTypes: ["text/x-haskell"],
  interpreters: ["runhaskell", "runghc"],
  syntax: {
    grammar: "haskell",
    query: `
(declarations [(function name: (_) @name) @function (bind name: (_) @name) @function])
(class_declarations [(function name: (_) @name) @function (signature name: (_) @name) @function])
(class_declarations (signature names: (binding_list (variable) @name)) @function)
(instance_declarations [(function name: (_) @name) @function (bind name: (_) @name) @function])
(declarations (function (infix operator: (_) @name)) @function)
(declarations (signature) @attribute)
(data_type name: (_) @name) @type
(newtype name: (_) @name) @type
(type_synomym name: (_) @name) @type
(type_family name: (_) @name) @type
(data_family name: (_) @name) @type
(pattern_synonym (equation synonym: [
  (constructor) @name
  (apply function: (constructor) @name)
  (apply function: (apply function: (constructor) @name))
  (apply function: (apply function: (apply function: (constructor) @name)))])) @function
(foreign_import signature: (signature name: (_) @name)) @function
(class name: (_) @name declarations: (_)? @body) @class
(instance name: (_) @name declarations: (_)? @body) @impl
(comment) @comment
(haddock) @comment
(pragma) @attribute
`,
  },
};
