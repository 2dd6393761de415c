import { KERNEL_BASE64 } from "../generated/kernel.js";
import type { Kernel, KernelMemory } from "./kernel.js";

/** The part of the WebAssembly API in use; the types of the language and of Node do not have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: KernelMemory } },
  ) => { readonly exports: Pick<Kernel, "dot" | "hamming"> };
  readonly Memory: new (pages: { readonly initial: number }) => KernelMemory;
}

/** The module, made at the first use; `null` where the engine refuses it. */
let compiled: object | null | undefined;

/**
 * The kernel of kernel.wat with a memory of its own, or `null` where WebAssembly or its SIMD is missing, and where an
 * engine finds no room for such a memory: it sets aside gigabytes of addresses, which a limit on them may refuse.
 */
export function wasmKernel(): Kernel | null {
  const api = (globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly;
  if (api === undefined) return null;
  if (compiled === undefined) {
    try {
      compiled = new api.Module(Buffer.from(KERNEL_BASE64, "base64"));
    } catch {
      // An engine without SIMD refuses the module. The answers are the same without it.
      compiled = null;
    }
  }
  if (compiled === null) return null;
  let memory: KernelMemory;
  try {
    memory = new api.Memory({ initial: 1 });
  } catch {
    return null;
  }
  const { dot, hamming } = new api.Instance(compiled, { env: { memory } }).exports;
  return { memory, dot, hamming };
}
