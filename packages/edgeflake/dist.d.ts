// What a bundler or a runtime makes of the module; everything else in dist/ has its types there.

declare module "*/dist/edgeflake_inline.js" {
  /** The module's bytes in base64. */
  const imported: string;
  export default imported;
}

declare module "*/dist/edgeflake_lease_inline.js" {
  /** The module's bytes in base64. */
  const imported: string;
  export default imported;
}

declare module "*/dist/edgeflake_bg.wasm" {
  /** The compiled module to Workers, the file's path to Bun. */
  const imported: WebAssembly.Module & string;
  export default imported;
}

declare module "*/dist/edgeflake_lease_bg.wasm" {
  /** The compiled module to Workers, the file's path to Bun. */
  const imported: WebAssembly.Module & string;
  export default imported;
}

declare module "cloudflare:workers" {
  /** Lets a promise outlive the request that is being answered. */
  export function waitUntil(promise: Promise<unknown>): void;
}
