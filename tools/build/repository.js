// The address of the repository, which stands only in Cargo.toml. Whatever leaves the checkout and
// needs an absolute address takes it from here.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../command/paths.js";

const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
const [, workspace] = manifest.split(/^\[workspace\.package\]$/m);

/** @param {string} key of `workspace.package` */
const value = (key) => new RegExp(`^${key} = "(.+)"$`, "m").exec(workspace)?.[1] ?? "";

export const repository = value("repository");

export const version = value("version");

/** Whether an address only stands for one: RFC 2606 reserves `.invalid`. @param {string} address */
export const isPlaceholder = (address) => new URL(address).hostname.endsWith(".invalid");

/**
 * Makes the relative links of a page absolute, because it is read outside the checkout. They lead
 * to the files of this version.
 *
 * @param {string} markdown
 * @param {string} folder of the page, from the root on
 */
export function absoluteLinks(markdown, folder) {
  return markdown.replace(/(?<=\]\()(?![a-z]+:|#)[^)\s]+/g, (link) =>
    [repository, "blob", `v${version}`, posix.join(folder, link)].join("/"),
  );
}
