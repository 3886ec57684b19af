// Notes what WebAssembly calls of JavaScript. Imported before the Worker, which is instantiated
// when that is.

const { Instance } = WebAssembly;

/** The functions that were called, by their names without what wasm-bindgen puts around them. */
export const calls = [];

WebAssembly.Instance = function instantiate(module, imports) {
  // Some are namespaces of modules, which cannot be changed.
  const noted = Object.entries(imports).map(([from, functions]) => [from, notedOf(functions)]);
  return new Instance(module, Object.fromEntries(noted));
};

/** @param {Record<string, unknown>} functions */
function notedOf(functions) {
  return Object.fromEntries(
    Object.entries(functions).map(([name, value]) => {
      if (typeof value !== "function") return [name, value];
      const called = name.replace(/^(__wbg)?_+(wbindgen_)?/, "").replace(/_[0-9a-f]{16}$/, "");
      return [
        name,
        (...args) => {
          calls.push(called);
          return value(...args);
        },
      ];
    }),
  );
}
