import { DatabaseCall, Memory } from "../edgeflake_postgres.js";
import { EdgeflakeError } from "../error.js";
import { type Database, failure } from "./database.js";

const DEAF =
  "this client hides the server's warnings that a standby may lack a commit: use pg, give " +
  "postgres.js the option onnotice of edgeflake/postgres, or run UPDATE edgeflake.server SET " +
  "is_synchronous = false, after which a failover delays leases";

/** Carries out a request that this process decides itself; returns the result of `read`. */
export async function answered<T>(
  { run, isDeaf, memories }: Database,
  sequencer: string,
  message: string,
  read: (call: DatabaseCall) => T | Promise<T>,
): Promise<T> {
  const memory = memories.get(sequencer) ?? new Memory();
  memories.set(sequencer, memory);
  const call = DatabaseCall.begin(message, memory, performance.now());
  if (!call) throw new EdgeflakeError("unexpected-reply", `no authority answers ${message}`);
  try {
    for (let sql = call.sql(); sql !== undefined; sql = call.sql()) {
      const answer = await run(sql, [sequencer, `${call.json()}`]);
      if (isDeaf && JSON.parse(answer).is_synchronous)
        throw new EdgeflakeError("invalid-configuration", DEAF);
      if (!call.answered(answer)) throw new Error(`it answered ${answer.slice(0, 200)}`);
    }
    call.remember(memory, performance.now());
    return await read(call);
  } catch (error) {
    throw failure(error);
  } finally {
    call.free();
  }
}

/** Returns the error of a refused request; `undefined` if the request was not refused. */
export function refusalOf(call: DatabaseCall, sequencer: string) {
  const code = call.errorCode();
  if (code === undefined) return undefined;
  const [message, retryInMs] = [`${call.errorMessage(sequencer)}`, call.retryInMs()];
  return new EdgeflakeError(code as EdgeflakeError["code"], message, retryInMs);
}
