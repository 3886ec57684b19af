// Stores the page for use without a network. The `FILES` of a version are stored all at once or not
// at all. The `LATER` files are stored when they are first loaded.

declare const VERSION: string;
declare const FILES: string[];
declare const LATER: string[];

/** The events of a service worker, which TypeScript's types for pages do not include. */
interface LifeEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface LoadEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
declare const skipWaiting: () => Promise<void>;
declare const clients: { claim(): Promise<void> };

const NAME = `edgeflake-${VERSION}`;
function on<E extends Event>(type: string, listen: (event: E) => void) {
  addEventListener(type, listen as (event: Event) => void);
}

const addressOf = (file: string) => new URL(file, location.href).href;
const kept = FILES.map(addressOf);
const later = LATER.map(addressOf);

on("install", (event: LifeEvent) => {
  // The browser's own cache may contain an index.html of another version.
  const requests = kept.map((address) => new Request(address, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

on("activate", (event: LifeEvent) => {
  event.waitUntil(deleteOthers().then(() => clients.claim()));
});

on("message", ({ data }: MessageEvent) => {
  if (data === "take over") skipWaiting();
});

on("fetch", (event: LoadEvent) => {
  const { request } = event;
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  // Answers of the API are never stored.
  if (request.method !== "GET" || ![...kept, ...later].includes(address)) return;
  event.respondWith(answer(request, later.includes(address)));
});

async function deleteOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith("edgeflake-") && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function answer(request: Request, isLater: boolean) {
  const cache = await caches.open(NAME);
  const found = await cache.match(request, { ignoreSearch: true });
  if (found) return found;
  const response = await fetch(request);
  if (isLater && response.ok) await cache.put(request, response.clone());
  return response;
}

export {};
