// The built page on a host that knows nothing but files.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const PAGE = new URL("../../../build/www/", import.meta.url);

/** @type {Record<string, string>} */
const MIME_TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** @param {string} directory where the page is, from `/` to `/` */
export async function startStaticHost(directory) {
  const server = createServer(async ({ url = "" }, response) => {
    const path = url === directory ? "index.html" : url.slice(directory.length);
    try {
      const content = await readFile(new URL(path, PAGE));
      response.writeHead(200, { "content-type": MIME_TYPES[extname(path)] }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}${directory}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
