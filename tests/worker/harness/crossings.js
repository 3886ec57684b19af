// Notes what WebAssembly calls of JavaScript. Imported before the Worker, which is instantiated
// when that is.

const { Instance } = WebAssembly;

/** The functions that were called, by their names without what wasm-bindgen puts around them. */
export const calls = [];

WebAssembly.Instance = function instantiate(module, imports) {
  for (const functions of Object.values(imports)) {
    for (const [name, value] of Object.entries(functions)) {
      if (typeof value !== "function") continue;
      functions[name] = (...args) => {
        calls.push(name.replace(/^(__wbg)?_+(wbindgen_)?/, "").replace(/_[0-9a-f]{16}$/, ""));
        return value(...args);
      };
    }
  }
  return new Instance(module, imports);
};
