// A URL shortener. A link's key is an id in base62, so links sort by the time of their creation.
// Each key is new, so the Worker never has to look for a free key.
//
//   POST /                  the body is a URL; answers the short URL
//   GET  /{key}             redirects
//   GET  /?day=2026-12-01   the links made on a day (UTC), newest first

import { env } from "cloudflare:workers";
import { EdgeflakeError, format, Layout, parse } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

const ids = new LeasedGenerator({ authority: env.AUTHORITY, encoding: "base62" });

/**
 * The layout of the ids. It must be the layout in the variable EDGEFLAKE_LAYOUT, whose default is
 * "hazelcast".
 */
const layout = Layout.preset("hazelcast");

const DAY_MS = 86_400_000;
const LINKS_MAX = 100;

export default {
  /** @param {Request} request */
  async fetch(request) {
    const { origin, pathname, searchParams } = new URL(request.url);
    const key = pathname.slice(1);
    if (request.method === "POST" && key === "") return shorten(await request.text(), origin);
    if (request.method !== "GET") return new Response("not allowed", { status: 405 });
    return key === "" ? list(searchParams.get("day")) : redirect(key);
  },
};

/** @param {string} text @param {string} origin */
async function shorten(text, origin) {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return new Response("not a URL", { status: 400 });

  const key = await ids.next();
  await env.DB.prepare("INSERT INTO link (key, url) VALUES (?, ?)").bind(key, url.href).run();
  return Response.json({ key, url: `${origin}/${key}` }, { status: 201 });
}

/** @param {string} key */
async function redirect(key) {
  const url = await env.DB.prepare("SELECT url FROM link WHERE key = ?").bind(key).first("url");
  return url === null ? new Response("no such link", { status: 404 }) : Response.redirect(url, 302);
}

/**
 * The table has no column for the time of a link, because the key contains the time.
 *
 * @param {string | null} day
 */
async function list(day) {
  const from = day === null ? Date.now() - DAY_MS : Date.parse(day);
  let window;
  try {
    window = layout.range(from, from + DAY_MS);
  } catch (error) {
    if (error instanceof EdgeflakeError) return new Response(error.message, { status: 400 });
    throw error;
  }
  const { results } = await env.DB.prepare(
    "SELECT key, url FROM link WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT ?",
  )
    .bind(format(window.min, "base62"), format(window.max, "base62"), LINKS_MAX)
    .all();
  const made = (/** @type {string} */ key) => layout.decode(parse(key, "base62")).date;
  return Response.json(results.map(({ key, url }) => ({ key, url, made: made(key) })));
}
