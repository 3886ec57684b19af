// A host that only serves files.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

/** @type {Record<string, string>} */
const MIME_TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * @param {string} folder the folder whose files are served
 * @param {string} [directory] the URL path of the files, which begins and ends with `/`
 * @param {(path: string) => Record<string, string>} [headersOf] more headers of a path
 */
export async function startStaticHost(folder, directory = "/", headersOf = () => ({})) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(`${request.url}`, "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const content = await readFile(join(folder, path.slice(directory.length)));
      const type = MIME_TYPES[extname(path)] ?? "";
      response.writeHead(200, { "content-type": type, ...headersOf(path) }).end(content);
    } catch {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}${directory}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
