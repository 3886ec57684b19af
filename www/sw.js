// Keeps the page for times without a network. The build names its files and their version. All
// files of one version are kept or none, because a module and its glue must match. The files of the
// playground are kept when they are first loaded.

// @ts-expect-error The build defines it.
const NAME = `edgeflake-${VERSION}`;
// @ts-expect-error The build defines it.
const KEPT = /** @type {string[]} */ (FILES);

// @ts-expect-error The build defines it.
const LATER_KEPT = /** @type {string[]} */ (LATER);

const addresses = KEPT.map((file) => new URL(file, location.href).href);
const later = LATER_KEPT.map((file) => new URL(file, location.href).href);

addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(KEPT)));
});

addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("edgeflake-") && name !== NAME))
      .then((old) => Promise.all(old.map((name) => caches.delete(name)))),
  );
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  if (later.includes(address)) return event.respondWith(keptLater(request));
  // The API's answers are never kept.
  if (!addresses.includes(address)) return;
  event.respondWith(
    caches
      .open(NAME)
      .then((cache) => cache.match(request, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(request)),
  );
});

/** @param {Request} request */
async function keptLater(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
