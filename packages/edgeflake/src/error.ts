import type { ErrorCode } from "./names.js";

/** The error that this package throws. */
export class EdgeflakeError extends Error {
  /** It is stable, for programs; `message` is for people. */
  declare readonly code: ErrorCode;
  /** Another try is worth it after this number of ms; with `exhausted`, there is an id then. */
  declare readonly retryInMs?: number | undefined;

  constructor(code: ErrorCode, message: string, retryInMs?: number | undefined) {
    super(message);
    this.name = "EdgeflakeError";
    this.code = code;
    if (retryInMs !== undefined) this.retryInMs = retryInMs;
  }
}
