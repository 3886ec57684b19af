// The SQLite of a Durable Object, each statement in one call from WebAssembly.

/**
 * @typedef Sql
 * @property {(statement: string, ...values: unknown[]) => Cursor} exec
 *
 * @typedef Cursor
 * @property {() => Iterable<unknown[]>} raw
 * @property {number} rowsWritten
 */

/** @param {Sql} sql @param {string} statement @param {unknown[]} values */
export function rows(sql, statement, values) {
  return [...sql.exec(statement, ...values).raw()];
}

/** @param {Sql} sql @param {string} statement @param {unknown[]} values */
export function written(sql, statement, values) {
  return sql.exec(statement, ...values).rowsWritten;
}
