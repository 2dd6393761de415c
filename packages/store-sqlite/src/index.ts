export { provider, type SqliteStoreOptions, sqliteStore } from "./factory.js";
