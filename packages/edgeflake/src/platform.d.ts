// Declares modules that a platform provides or the build makes. The other modules that the build
// makes are in dist, where tsc finds their types.

declare module "*_inline.js" {
  export const text: string;
}

// Workers and Next's edge runtime compile no WebAssembly at run time, so these imports are already
// compiled.
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "cloudflare:workers" {
  /** The variables, secrets and bindings of the Worker. */
  export const env: Record<string, unknown>;
  /** Lets the Worker run until the promise settles, even after it has sent the response. */
  export function waitUntil(promise: Promise<unknown>): void;
  export class DurableObject {}
  export class RpcTarget {}
  export class WorkerEntrypoint {}
}
