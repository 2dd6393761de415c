import module from "node:module";

/** Keeps compiled code between starts, where Node can (22.8 and newer). */
export function enableCompileCache(): void {
  (module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
}
