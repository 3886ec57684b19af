// Notes what WebAssembly calls of JavaScript. Imported before the Worker, which is instantiated
// when that is.

const { Instance } = WebAssembly;

/** The names of the functions that were called. */
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
      return [
        name,
        (...args) => {
          calls.push(name);
          return value(...args);
        },
      ];
    }),
  );
}
