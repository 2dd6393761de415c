export { type LancedbStoreOptions, lancedbStore, provider } from "./factory.js";
