import type { ErrorCode } from "./names.js";

/** The error class of this package. `docs/API.md` explains each `code`. */
export class EdgeflakeError extends Error {
  /** Stable name of the error, for programs; `message` is for people. */
  declare readonly code: ErrorCode;
  /**
   * Wait this number of ms before you retry. If `code` is `exhausted`, there is an id after this
   * time.
   */
  declare readonly retryInMs?: number | undefined;

  constructor(code: ErrorCode, message: string, retryInMs?: number | undefined) {
    super(message);
    this.name = "EdgeflakeError";
    this.code = code;
    if (retryInMs !== undefined) this.retryInMs = retryInMs;
  }
}
