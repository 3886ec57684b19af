// `node authority.js <options>` runs an authority, and prints its URL. The options are JSON: the
// port, and the options of `createAuthority`.

import { createAuthority } from "edgeflake/authority/node";

const { port, ...options } = JSON.parse(process.argv[2]);
const authority = await createAuthority(options);
console.log((await authority.listen(port)).origin);
