// Serves the page `index.html`, and the files of the npm package `edgeflake` for the page. Any
// static file server can do this.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const { PORT = "3000" } = process.env;
const page = new URL("index.html", import.meta.url);
const packaged = new URL(".", import.meta.resolve("edgeflake/package.json"));

/**
 * The media types of the files. This page loads no .wasm file. A page that does needs the type
 * `application/wasm`, because only then do browsers compile a .wasm file while it loads.
 *
 * @type {Record<string, string>}
 */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** @param {string} pathname */
function fileOf(pathname) {
  if (pathname === "/") return page;
  const [, path] = /^\/edgeflake\/(\w[\w./-]*)$/.exec(pathname) ?? [];
  return path === undefined ? undefined : new URL(path, packaged);
}

const server = createServer(async ({ url = "/" }, response) => {
  const file = fileOf(new URL(url, "http://page").pathname);
  const content = file && (await readFile(file).catch(() => undefined));
  if (!content) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(file.pathname)] ?? "text/plain" });
  response.end(content);
});
server.listen(Number(PORT), () => console.log(`listening on http://localhost:${PORT}/`));
