// A Worker with routes of its own and the authority inside, without a binding.

import { exports } from "cloudflare:workers";
import { EdgeflakeError as PlainError } from "edgeflake";
import { admin, EdgeflakeError } from "edgeflake/authority";
import { LeasedGenerator } from "edgeflake/lease";

export { Authority, Directory } from "edgeflake/authority";

/** The location hint in the first request to each object; null if there was none. */
const hints = {};

const noted = {
  getByName(name, options) {
    hints[name] ??= options?.locationHint ?? null;
    return exports.Authority.getByName(name, options);
  },
};

export default {
  /**
   * Answers with the result of `admin[method](...args)`, or with an id of a sequencer. With `held`,
   * destroys that sequencer, and answers with the state of its generator. With `isNew` too, the
   * generator gets its first id after the sequencer was created again. With `isPanicking` the clock
   * throws, which causes a panic in WebAssembly.
   *
   * @param {Request} request
   */
  async fetch(request) {
    const { method, args, sequencer, shards, isPanicking, held, isNew } = await request.json();
    const { now } = Date;
    if (isPanicking) {
      Date.now = () => {
        throw new Error("no time, as the test asked for");
      };
    }
    try {
      if (method) return Response.json(await admin[method](...args));
      if (held) {
        const ids = new LeasedGenerator({ authority: exports.Authority, sequencer: held });
        if (!isNew) await ids.next();
        await admin.destroy(held);
        const { state } = ids;
        if (isNew) await admin.create(held);
        return Response.json({ state, id: isNew && `${typeof (await ids.next())}` });
      }
      // The platform has no exports while the module is still being evaluated.
      const ids = sequencer
        ? new LeasedGenerator({ authority: noted, sequencer, shards })
        : new LeasedGenerator({ authority: exports.Authority });
      return Response.json({ id: String(await ids.next()), layout: ids.layout, hints });
    } catch (error) {
      const { code, message, retryInMs } = error;
      const isOurs = error instanceof EdgeflakeError && error instanceof PlainError;
      return Response.json({ code, message, retryInMs, isOurs });
    } finally {
      Date.now = now;
    }
  },
};
