// The part of WebAssembly that this package uses. Node's types leave it to the DOM library, which is not wanted here.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>);
    readonly exports: unknown;
  }
  function validate(bytes: Uint8Array): boolean;
}
