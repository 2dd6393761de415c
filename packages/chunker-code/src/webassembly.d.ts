// The part of WebAssembly that this package uses. Node's types leave it to the DOM library, which is not wanted here.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
}
