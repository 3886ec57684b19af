// The program of every environment, written as users write it: generators at module scope.

import { Generator, Layout } from "edgeflake";
import { LeasedGenerator } from "edgeflake/lease";
import { format, parse } from "edgeflake/light";

/** The tests of dev servers edit this line. */
const EDITION = "first";

const layout = Layout.preset("hazelcast");
// `shared` returns the same generator to each evaluation of this file.
const ids = Generator.shared({ layout, node: 5, allowedFutureMs: 1000 });
const leased = LeasedGenerator.shared({ authority: "https://ids.example.com" });

/** Issues an id and describes it. */
export function check() {
  const id = parse(format(ids.next(), "base62"), "base62");
  return `${typeof id} of node ${layout.decode(id).node}, ${leased.state}, ${EDITION}`;
}

/** Issues as many ids as the query string of a request asks for. @param {string} count */
export const issue = (count) => Array.from(ids.batch(Number(count)), String).join(" ");

/** Returns the error that a second generator of the node gets. */
function another() {
  try {
    new Generator({ layout, node: 5 });
    return "nothing";
  } catch (error) {
    return `${error}`;
  }
}

/** Answers a request to a route. @param {string} url */
export function answer(url) {
  const { searchParams } = new URL(url);
  if (searchParams.has("another")) return another();
  const count = searchParams.get("ids");
  return count ? issue(count) : check();
}
