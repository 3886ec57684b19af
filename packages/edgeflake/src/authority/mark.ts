// Each directory of an authority stores whether it is for leases or witnesses, and to which
// authority it belongs. Each file stores the name of its object. So the authority refuses swapped
// volumes and renamed files. Otherwise, an authority with swapped volumes would find no leases, and
// could grant the old leases again.

import { randomUUID } from "node:crypto";
import { EdgeflakeError } from "../error.js";
import type { Database } from "./database.js";

export type Role = "leases" | "witnesses";

const CREATE = "CREATE TABLE IF NOT EXISTS mark (role TEXT NOT NULL, authority TEXT) STRICT";

/** A directory of an authority: its path, and the database of its object `directory`. */
interface Marked {
  readonly path: string;
  readonly database: Database;
}

/** Stores the role of a directory; throws if the directory already has the other role. */
export function markRole({ path, database }: Marked, role: Role) {
  database.exec(CREATE);
  const [marked] = database.exec("SELECT role FROM mark").raw();
  const [found] = marked ?? [role];
  if (found !== role) {
    const option = role === "leases" ? "directory" : "witness";
    const allowed = `give the directory of ${role} (are directory and witness swapped?), or an empty one for a new authority`;
    throw invalid(`${option} is ${path}, a directory of ${found}: ${allowed}`);
  }
  if (!marked) database.exec("INSERT INTO mark (role) VALUES (?)", role);
}

/** Marks both directories as parts of one authority; throws if their authorities differ. */
export function pair(leases: Marked, witnesses: Marked) {
  const [ofLeases, ofWitnesses] = [leases, witnesses].map(
    ({ database }) => database.exec("SELECT authority FROM mark").raw()[0][0] as string | null,
  );
  // A new or emptied directory becomes part of the other directory's authority.
  const authority = ofLeases ?? ofWitnesses ?? randomUUID();
  if ((ofWitnesses ?? authority) !== authority) {
    const of = `the witnesses of another authority than ${leases.path}`;
    const allowed =
      "give two directories of one authority; an empty witness is safe only if the directory of leases is complete";
    throw invalid(`witness is ${witnesses.path}, which has ${of}: ${allowed}`);
  }
  for (const { database } of [leases, witnesses]) {
    database.exec("UPDATE mark SET authority = ?", authority);
  }
}

/** Stores the name of an object in its file; throws if the file belongs to another object. */
export function nameFile(database: Database, file: string, name: string) {
  database.exec("CREATE TABLE IF NOT EXISTS object (name TEXT NOT NULL) STRICT");
  const [named] = database.exec("SELECT name FROM object").raw();
  if (!named) database.exec("INSERT INTO object VALUES (?)", name);
  else if (named[0] !== name) {
    const message = `the authority's file ${file} was renamed or copied: rename it back to the name of its object, ${named[0]}, with a dot in place of the slash`;
    throw new EdgeflakeError("store-failed", message);
  }
}

const invalid = (message: string) => new EdgeflakeError("invalid-option", message);
