// Reads what a TypeScript file imports, and whether it reads the environment, from its syntax tree.
import { parseSync } from "vite";

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} line 1-based
 * @property {boolean} typeOnly nothing is left of it when compiled
 * @property {boolean} effectOnly `import "x"`: imported for what it does, not for what it exports
 */

/**
 * @param {string} file its name tells the dialect
 * @param {string} text
 * @returns {{ imports: Import[], environment: number[], errors: string[] }} `environment`: lines that read `process.env`
 */
export function readSource(file, text) {
  const { program, errors } = parseSync(file, text);
  /** @type {Import[]} */
  const imports = [];
  /** @type {number[]} */
  const environment = [];
  const lineOf = lineFinder(text);
  // Names that stand for the process object, and so lead to its `env`.
  const processNames = new Set(["process"]);

  walk(program, (node) => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      const typeOnly = isTypeOnly(node);
      imports.push({
        specifier,
        line: lineOf(node.start),
        typeOnly,
        effectOnly: node.type === "ImportDeclaration" && !typeOnly && node.specifiers.length === 0,
      });
      if (/^(node:)?process$/.test(specifier)) {
        for (const { type, local, imported } of node.specifiers ?? []) {
          if (type !== "ImportSpecifier" || imported.name === "default") processNames.add(local.name);
          else if (imported.name === "env") environment.push(lineOf(node.start));
        }
      }
    }
  });
  walk(program, (node) => {
    if (readsEnvironment(node, processNames)) environment.push(lineOf(node.start));
  });
  return { imports, environment, errors: errors.map(({ message }) => message) };
}

/** @param {any} node @returns {string | undefined} */
function specifierOf(node) {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return literal(node.source);
    case "TSExternalModuleReference":
      return literal(node.expression);
    case "CallExpression":
      return isRequire(node.callee) ? literal(node.arguments[0]) : undefined;
    default:
      return undefined;
  }
}

/** `require("x")` and `require.resolve("x")`, whatever made that function. @param {any} callee */
function isRequire(callee) {
  const name = callee.type === "MemberExpression" ? callee.object.name : callee.name;
  return name === "require" && (callee.type !== "MemberExpression" || callee.property.name === "resolve");
}

/** A string, or a template without holes. What is computed is not known here. @param {any} node @returns {string | undefined} */
function literal(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

/** @param {any} node */
function isTypeOnly(node) {
  if (node.type === "TSImportType") return true;
  if (node.importKind === "type" || node.exportKind === "type") return true;
  // `import { type A } from "x"` keeps the import of "x" under verbatimModuleSyntax, so it is not type-only.
  return false;
}

/** @param {any} node @param {ReadonlySet<string>} processNames */
function readsEnvironment(node, processNames) {
  if (node.type === "MemberExpression") return propertyName(node) === "env" && isProcess(node.object, processNames);
  if (node.type !== "VariableDeclarator" || node.id.type !== "ObjectPattern" || node.init === null) return false;
  const takesEnv = node.id.properties.some((/** @type {any} */ property) => property.key?.name === "env");
  return takesEnv && isProcess(node.init, processNames);
}

/** `process`, an import of it, or `globalThis.process`. @param {any} node @param {ReadonlySet<string>} names */
function isProcess(node, names) {
  if (node.type === "Identifier") return names.has(node.name);
  return node.type === "MemberExpression" && propertyName(node) === "process";
}

/** @param {any} node a MemberExpression @returns {string | undefined} */
function propertyName(node) {
  return node.computed ? literal(node.property) : node.property.name;
}

/** @param {any} node @param {(node: any) => void} visit called for every node, parents first */
function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") visit(node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

/** @param {string} text @returns {(offset: number) => number} */
function lineFinder(text) {
  return (offset) => {
    let line = 1;
    for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
    return line;
  };
}
