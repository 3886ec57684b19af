// A Worker that issues ids of static nodes, also at module scope. It answers with its errors and
// warnings.

import { Generator, Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";

const warnings = [];
console.warn = (line) => warnings.push(line);

/** @param {() => unknown} run @returns {Promise<unknown>} */
async function errorOf(run) {
  try {
    return await run();
  } catch ({ code, message }) {
    return `${code}: ${message}`;
  }
}

const layout = Layout.preset("twitter");
const ids = new Generator({ layout, node: 1 });
const errors = [
  await errorOf(() => ids.next()),
  await errorOf(() => ids.nextAsync()),
  await errorOf(() => new Generator({ layout, node: 2, gaps: 3 })),
  await errorOf(() => new LeasedGenerator({ authority: "https://ids.example.com" }).next()),
];

export default {
  async fetch() {
    ids.close();
    for (const node of [1, 3]) new Generator({ layout, node }).next();
    new Generator({ layout, node: 4, exclusive: true }).next();
    return Response.json({ errors, warnings });
  },
};
