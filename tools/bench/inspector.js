// V8's inspector of a Worker in workerd.

import { once } from "node:events";

/** @param {string} url */
export async function open(url) {
  const inspector = new WebSocket(url);
  await once(inspector, "open");
  return inspector;
}

/** @param {WebSocket} inspector @param {string} method @param {object} [params] */
export async function call(inspector, method, params) {
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = await once(inspector, "message");
  return JSON.parse(data).result;
}
