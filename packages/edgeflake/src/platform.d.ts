// Declares modules that a platform provides or the build makes. For the other modules that the
// build makes, tsc finds the types in dist.

declare module "*_inline.js" {
  /** The WebAssembly module, encoded as text; module/inlined.ts decodes it. */
  export const text: string;
}

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
