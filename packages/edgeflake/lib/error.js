/** @import { ErrorCode } from "edgeflake" */

export class EdgeflakeError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {number} [retryInMs]
   */
  constructor(code, message, retryInMs) {
    super(message);
    this.name = "EdgeflakeError";
    this.code = code;
    if (retryInMs !== undefined) this.retryInMs = retryInMs;
  }
}
