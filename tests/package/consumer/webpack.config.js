// What webpack takes to build an ES module for browsers.
export default {
  mode: "production",
  entry: "./package/consumer/browser.js",
  output: { path: `${import.meta.dirname}/../../dist/webpack`, filename: "main.js", clean: true },
  performance: { hints: false },
};
