// What a directory and its files say of themselves: whether it has leases or their witnesses, and of
// which authority, and whose file each is. Without that, two volumes that are mounted the wrong way
// round would pass for an authority that has granted nothing, and the leases of a file that was
// renamed for those of another sequencer.

import { randomUUID } from "node:crypto";
import { EdgeflakeError } from "../../lib/error.js";

/** @import { Database } from "./database.js" */
/** @typedef {"leases" | "witnesses"} Role */

const CREATE = "CREATE TABLE IF NOT EXISTS mark (role TEXT NOT NULL, authority TEXT) STRICT";

export class Mark {
  #database;
  #path;

  /**
   * Marks a directory.
   *
   * @param {Database} database that the directory has whatever is in it
   * @param {string} path
   * @param {Role} role
   */
  constructor(database, path, role) {
    this.#database = database;
    this.#path = path;
    database.exec(CREATE);
    const [marked] = database.exec("SELECT role FROM mark").raw();
    const [found] = marked ?? [role];
    if (found !== role) {
      const option = role === "leases" ? "directory" : "witness";
      const allowed = `a directory of ${role} is allowed, or an empty one`;
      throw invalid(`${option} is ${path}, a directory of ${found}: ${allowed}`);
    }
    if (!marked) database.exec("INSERT INTO mark (role) VALUES (?)", role);
  }

  /**
   * Says that two directories are of one authority.
   *
   * @param {Mark} leases
   * @param {Mark} witnesses
   */
  static pair(leases, witnesses) {
    // One of the two may be new, or was emptied.
    const authority = leases.#authority ?? witnesses.#authority ?? randomUUID();
    if ((witnesses.#authority ?? authority) !== authority) {
      const of = `the witnesses of another authority than that of ${leases.#path}`;
      const allowed = "the directory of this one's witnesses is allowed, or an empty one";
      throw invalid(`witness is ${witnesses.#path}, which has ${of}: ${allowed}`);
    }
    leases.#authority = authority;
    witnesses.#authority = authority;
  }

  /** @returns {string | null} */
  get #authority() {
    return /** @type {any} */ (this.#database.exec("SELECT authority FROM mark").raw()[0][0]);
  }

  set #authority(authority) {
    this.#database.exec("UPDATE mark SET authority = ?", authority);
  }
}

/**
 * Has a file say whose it is.
 *
 * @param {Database} database
 * @param {string} file
 * @param {string} name of the object
 */
export function nameFile(database, file, name) {
  database.exec("CREATE TABLE IF NOT EXISTS object (name TEXT NOT NULL) STRICT");
  const [named] = database.exec("SELECT name FROM object").raw();
  if (!named) database.exec("INSERT INTO object VALUES (?)", name);
  else if (named[0] !== name) {
    const message = `the authority's file ${file} is that of ${named[0]}: give it its name back`;
    throw new EdgeflakeError("store-failed", message);
  }
}

/** @param {string} message */
const invalid = (message) => new EdgeflakeError("invalid-option", message);
