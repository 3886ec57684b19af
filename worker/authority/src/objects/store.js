// The write of an authority's operation, made in one call from WebAssembly.

/**
 * @typedef Sql
 * @property {(statement: string, ...values: (string | number | null)[]) => Cursor} exec
 *
 * @typedef Cursor
 * @property {number} rowsWritten
 */

/**
 * @param {Sql} sql
 * @param {string} statement
 * @param {string | undefined} tokenAfter
 * @param {string | undefined} tokenBefore
 * @param {Float64Array} numbers
 * @returns {number} how many rows were written
 */
export function writeNode(sql, statement, tokenAfter, tokenBefore, numbers) {
  return sql.exec(statement, tokenAfter ?? null, tokenBefore ?? null, ...numbers).rowsWritten;
}
