// What the build puts into dist/, for the type check, which needs no build.

declare module "*/dist/edgeflake.js" {
  export { Layout, presets } from "edgeflake";
  export function initSync(source: { module: BufferSource | WebAssembly.Module }): void;
  export default function init(): Promise<void>;
}

declare module "*/dist/edgeflake_bg.wasm" {
  /** The compiled module to Workers, the file's path to Bun. */
  const imported: WebAssembly.Module & string;
  export default imported;
}
