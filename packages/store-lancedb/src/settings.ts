import type { Location } from "./location.js";
import type { StorageOptions } from "./storage-options.js";

/** Where an index is, and how it is searched. */
export interface StoreSettings {
  readonly location: Location;
  readonly storageOptions: StorageOptions;
  /** See `LancedbStoreOptions`. */
  readonly vectorIndex: "ivf_rq" | "exact";
  readonly exactLimit: number;
}
