// Records which JavaScript functions WebAssembly calls. Import this file before the Worker, because
// importing the Worker instantiates the module.

const { Instance } = WebAssembly;

/** The names of the functions that were called. */
export const calls = [];

/** @param {string} name @param {unknown} value */
const noted = (name, value) =>
  typeof value === "function" ? (...args) => calls.push(name) && value(...args) : value;

WebAssembly.Instance = function instantiate(module, imports) {
  // Some imports are module namespaces, which cannot be changed, so they are copied.
  const copies = Object.entries(imports).map(([from, functions]) => {
    const entries = Object.entries(functions).map(([name, value]) => [name, noted(name, value)]);
    return [from, Object.fromEntries(entries)];
  });
  return new Instance(module, Object.fromEntries(copies));
};
