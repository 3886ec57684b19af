// A user's Worker that contains `edgeflake/lease`. `/state` describes the holder without asking for
// an id, `/try` answers from memory, and every other path answers with ids.

import { env as imported } from "cloudflare:workers";
import { LeasedGenerator } from "edgeflake/lease";
import * as clock from "../../worker/harness/clock.js";

const atModuleScope = new LeasedGenerator({ authority: imported.AUTHORITY, sequencer: "module" });
const { EDGEFLAKE_LEASE_TOKEN: token } = imported;

/**
 * Functions that return the generator for a request, by sequencer. For any other sequencer, each
 * request gets a new generator on the namespace of objects in the request's `env`.
 */
const generators = {
  module: () => atModuleScope,
  service: (env) => new LeasedGenerator({ authority: env.IDS, token, sequencer: "service" }),
  both: (env, request) =>
    new LeasedGenerator({ authority: (request % 2 ? env : imported).AUTHORITY, sequencer: "both" }),
};

/** @param {string} sequencer @param {any} env */
const generatorOf = (sequencer, env) =>
  generators[sequencer]?.(env, requests++) ??
  new LeasedGenerator({ authority: env.AUTHORITY, sequencer });

let requests = 0;

export default {
  /** @param {Request} request @param {unknown} env */
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has("speed")) clock.run(Number(searchParams.get("speed")));
    if (searchParams.has("step_ms")) clock.step(Number(searchParams.get("step_ms")));
    const ids = generatorOf(`${searchParams.get("sequencer")}`, env);
    if (pathname === "/state") {
      return Response.json({ state: ids.state, lease: ids.lease, layout: ids.layout });
    }
    try {
      const count = Number(searchParams.get("count") ?? 1);
      const asked = async () => (count === 1 ? [await ids.next()] : [...(await ids.batch(count))]);
      const issued = pathname === "/try" ? [ids.tryNext()] : await asked();
      return Response.json({ ids: issued.map(String) });
    } catch ({ name, code, message, retryInMs, cause }) {
      return Response.json({ name, code, message, retryInMs, cause: cause?.message });
    }
  },
};
