import type { Language } from "../language.js";

/** Its statements are read by `src/sql.ts`. */
export const sql: Language = {
  name: "sql",
  extensions: ["sql", "ddl", "dml", "pgsql", "plsql"],
  mediaTypes: ["application/sql", "text/x-sql"],
};
