// Tests your code with ids and errors that you choose.

import { FakeIds } from "edgeflake/testing";

const ids = new FakeIds(); // 1n, 2n, 3n, ...; with { start: 1000n }: 1000n, 1001n, ...
await ids.next(); // => 1n
await ids.nextString("base62"); // => "00000000002"
ids.stats().issued; // => 2

const pinned = new FakeIds({ ids: [1541815603606036480n] });
pinned.failNext("overloaded", { retryInMs: 2_000 }); // the next call fails, and takes no id
const error = await pinned.next().catch((error) => error);
[error.code, error.retryInMs]; // => ["overloaded", 2000]
await pinned.next(); // => 1541815603606036480n
