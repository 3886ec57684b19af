/** What this package throws: `code` is stable, for programs; `message` is for people. */
export class EdgeflakeError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "EdgeflakeError";
    this.code = code;
  }
}
