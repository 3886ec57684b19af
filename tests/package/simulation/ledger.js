// Every id of a world: none may come twice.

export class Ledger {
  /** Which process has each. @type {Map<bigint, string>} */
  #owners = new Map();

  /** Adds an id, and says what is wrong with it. @param {bigint} id @param {string} owner */
  add(id, owner) {
    const other = this.#owners.get(id);
    if (other !== undefined) return `id ${id} came twice: to ${other} and to ${owner}`;
    this.#owners.set(id, owner);
    return undefined;
  }
}
