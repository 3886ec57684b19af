// What a bundler or a runtime makes of the module; everything else in dist/ has its types there.

declare module "*/dist/edgeflake_inline.js" {
  /** The module's bytes, see lib/inlined.js. */
  export const text: string;
}

declare module "*/dist/edgeflake_lease_inline.js" {
  /** The module's bytes, see lib/inlined.js. */
  export const text: string;
}

declare module "*/dist/edgeflake_url.js" {
  /** Where the module is. */
  export const url: URL;
}

declare module "*/dist/edgeflake_bg.wasm" {
  /** The compiled module. */
  const imported: WebAssembly.Module;
  export default imported;
}

declare module "*/dist/edgeflake_bg.wasm?module" {
  /** The compiled module. */
  const imported: WebAssembly.Module;
  export default imported;
}

declare module "*/dist/edgeflake_lease_url.js" {
  /** Where the module is. */
  export const url: URL;
}

declare module "*/dist/edgeflake_lease_bg.wasm" {
  /** The compiled module. */
  const imported: WebAssembly.Module;
  export default imported;
}

declare module "*/dist/edgeflake_lease_bg.wasm?module" {
  /** The compiled module. */
  const imported: WebAssembly.Module;
  export default imported;
}

declare module "cloudflare:workers" {
  /** The variables, secrets and bindings of the Worker. */
  export const env: Record<string, unknown>;
  /** Lets a promise outlive the request that is being answered. */
  export function waitUntil(promise: Promise<unknown>): void;
}
