// The platforms and the build make these modules; tsc finds the others, with their types, in dist.

declare module "*_inline.js" {
  /** The bytes of the module; module/inlined.ts decodes them. */
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
  /** Lets a promise outlive the request that is being answered. */
  export function waitUntil(promise: Promise<unknown>): void;
  export class DurableObject {}
  export class RpcTarget {}
  export class WorkerEntrypoint {}
}
