// Tests the page as a whole: its content security policy, versions, parts, addresses and history.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startStaticHost } from "../harness/static-host.js";
import { temporary } from "../harness/temporary.js";
import {
  answer,
  chooseSystem,
  copied,
  NOW_MS,
  open,
  paste,
  serveFiles,
  stage,
  untilValue,
} from "./harness/stage.js";

/** @import { Page } from "playwright-core" */

const BUILT = new URL("../../build/www/", import.meta.url).pathname;
const TWEET = "1593572310593806338";
const EXAMPLE = `https://x.com/i/status/${TWEET}`;
const DISCORD_ID = "175928847299117063";

const found = stage({ isAlone: true });

test("nothing from elsewhere, a strict policy, no tracking, nothing sent", async () => {
  const { page, origin } = found;
  const policy = (await fetch(origin)).headers.get("content-security-policy")?.split("; ");
  assert.ok(policy?.includes("default-src 'none'"));
  assert.deepEqual(
    policy?.filter((directive) => /unsafe|https?:|\*/.test(directive)),
    ["script-src 'self' 'wasm-unsafe-eval'"],
  );
  await open(found);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForLoadState("networkidle");
  /** @type {string[]} */
  const requests = [];
  // Chromium itself requests the tab's icon for each address in the history.
  page.context().on("request", (request) => {
    if (!request.url().endsWith("/icon.svg")) requests.push(request.url());
  });
  await paste(page, DISCORD_ID);
  await chooseSystem(page, "twitter");
  await page.waitForURL(/layout=twitter/);
  assert.deepEqual(requests, []);
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
});

test("any static host serves it, in a directory too", async () => {
  const host = await serveFiles(found, "/ids/");
  await open(found, `#${TWEET}`);
  assert.equal((await answer(found.page)).fields.worker, "26");
  await found.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  host.close();
});

test("offline after the first load", async () => {
  const page = await open(found);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.context().setOffline(true);
  await page.goto(`${found.origin}#${DISCORD_ID}`);
  await page.reload();
  await page.locator("#answer").waitFor();
  assert.equal(await page.textContent("#id"), DISCORD_ID);
});

/** Returns the folder with the scripts of a built page. @param {string} directory */
function versionOf(directory) {
  return fs.readdirSync(directory).find((name) => /^[0-9a-f]{12}$/.test(name)) ?? "";
}

test("a new version is offered with one click, and no version loads a file of another", async () => {
  const directory = temporary();
  fs.cpSync(BUILT, directory, { recursive: true });
  const host = await startStaticHost(directory);
  found.origin = host.url;
  const page = await open(found);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await page.locator("#answer").waitFor();
  const [before, after] = [versionOf(directory), "abcdefabcdef"];
  fs.renameSync(join(directory, before), join(directory, after));
  for (const file of ["index.html", "sw.js"]) {
    const text = fs.readFileSync(join(directory, file), "utf8");
    fs.writeFileSync(join(directory, file), text.replaceAll(before, after));
  }
  /** @type {string[]} */
  const loaded = [];
  page.on("response", (response) => loaded.push(response.url()));
  await page.reload();
  await page.locator("#update").waitFor();
  assert.ok(!loaded.some((url) => url.includes(after) && !url.endsWith("sw.js")));
  const scripts = () => page.locator("script[src]").getAttribute("src");
  assert.equal(await scripts(), `${before}/main.js`);
  await page.locator("#update").getByRole("button").click();
  await page.waitForFunction(
    (version) => document.querySelector(`script[src^="${version}"]`),
    after,
  );
  await page.locator("#answer").waitFor();
  assert.equal(await page.locator("#update").count(), 0);
  // Complaints about the old version's files are allowed, because these files are gone.
  found.complaints.splice(0);
  host.close();
});

test("without scripts the page explains ids, and that it needs scripts", async () => {
  const still = await found.newPage({ javaScriptEnabled: false });
  await still.goto(found.origin);
  const text = await still.innerText("body");
  assert.match(text, /counts the ids that one node makes within one tick/);
  assert.match(text, /needs JavaScript, which is off/);
});

/**
 * The parts of the page, each with its name, its fragment and its heading.
 *
 * @type {[string, string, RegExp][]}
 */
const parts = [
  ["Decode", "decode", /^When was this id made/],
  ["Many", "many", /^When were these ids made/],
  ["Design", "design", /^Design a layout/],
  ["Live", "live", /^Ids of this server/],
  ["Why", "story", /clock/],
];

test("each part is reached by a link with an address, and keeps what was pasted", async () => {
  const page = await open(found);
  await paste(page, TWEET);
  await chooseSystem(page, "discord");
  for (const [name, part, title] of parts) {
    const link = page.locator("#parts").getByRole("link", { name, exact: true });
    const address = await link.evaluate((a) => (a instanceof HTMLAnchorElement ? a.href : ""));
    await link.click();
    assert.equal(page.url(), address);
    assert.match(address, new RegExp(`#${part}&text=${TWEET}&layout=discord$`));
    assert.equal(await link.getAttribute("aria-current"), "page");
    assert.equal(await page.locator("#parts [aria-current]").count(), 1);
    await page.locator("h1", { hasText: title }).waitFor();
    // The link opens the same part in another browser context.
    const other = await found.newPage();
    await other.goto(address);
    await other.locator("h1", { hasText: title }).waitFor();
  }
  for (const [, , title] of parts.slice(0, -1).reverse()) {
    await page.goBack();
    await page.locator("h1", { hasText: title }).waitFor();
  }
  assert.deepEqual((await answer(page)).system, "Discord");
});

test("a list is shown by Many, one id by Decode, and a layout is designed on", async () => {
  const page = await open(found);
  await paste(page, `${TWEET}\n${DISCORD_ID}`);
  await page.locator("#many").waitFor();
  await page.locator("#parts").getByRole("link", { name: "Decode" }).click();
  await page.getByRole("button", { name: "See all 2" }).click();
  await page.locator("#many-title", { hasText: "2 ids" }).waitFor();
  await paste(page, TWEET);
  await page.locator("#texts").waitFor();
  await chooseSystem(page, "discord");
  await page.locator("#parts").getByRole("link", { name: "Design" }).click();
  assert.equal(await page.inputValue("#preset"), "discord");
  assert.equal(await page.textContent("#id"), TWEET);
});

/** Each row has an address, the id that it opens, and the message about what is wrong with it. */
const addresses = [
  [`#${TWEET}`, TWEET, ""],
  [`?id=${DISCORD_ID}`, DISCORD_ID, ""],
  [`#id=${DISCORD_ID}`, DISCORD_ID, ""],
  [`#text=1&id=${DISCORD_ID}`, DISCORD_ID, ""],
  ["#decode", TWEET, ""],
  ["#text=1&id=12x", "1", 'the link\'s id "12x" is no id: give a decimal number up to 2^64 - 1'],
  ["#text=1&layout=no", "1", 'the layout "no" in this link cannot be read: it is left out'],
  ["#zip=abc", "", "this link was cut short, so its ids are lost: copy it again whole"],
  ["#id=what", "", ""],
  ["#%E0%A4%A", "", ""],
];

for (const [fragment, id, problem] of addresses) {
  test(`the address ${fragment}`, async () => {
    const page = await open(found, fragment);
    assert.equal(await page.locator("#id").count(), id === "" ? 0 : 1);
    if (id) assert.equal(await page.textContent("#id"), id);
    const said = page.locator("#link-problem");
    assert.equal((await said.count()) === 0 ? "" : await said.textContent(), problem);
    if (!id && !problem) assert.notEqual(await page.textContent("#text-error"), "");
  });
}

test("a link holds the whole state", async () => {
  const page = await open(found);
  const ids = Array.from({ length: 400 }, (_, i) => `${BigInt(TWEET) + BigInt(i) ** 3n}`);
  await paste(page, ids.join("\n"));
  await chooseSystem(page, "discord");
  await page.locator("#table-rows button").nth(6).click();
  await page.locator("#range > summary").click();
  await page.fill("#from", "2020-01-01");
  const shown = await answer(page);
  await page.waitForURL(/#zip=.*from=2020-01-01/);
  const link = await copied(page, ".share button");
  assert.equal(link, page.url());
  const other = await found.newPage();
  await other.goto(link);
  await other.locator("#many").waitFor();
  assert.deepEqual(await answer(other), shown);
  assert.equal(await other.textContent("#which"), "id 7 of 400");
});

test("a link that is copied right after an edit contains the edit", async () => {
  const page = await open(found, `#${TWEET}`);
  await page.fill("#text", DISCORD_ID);
  assert.equal(await copied(page, ".share button"), `${found.origin}#${DISCORD_ID}`);
});

/** @param {Page} page */
async function shown(page) {
  return { text: await page.inputValue("#text"), ...(await answer(page)) };
}

test("Back undoes a paste, a layout and a flipped bit", async () => {
  const page = await open(found, "", { width: 1440 });
  const steps = [await shown(page)];
  for (const act of [
    () => paste(page, DISCORD_ID),
    () => chooseSystem(page, "twitter"),
    () => page.locator("#strip").press("Space"),
    () => paste(page, `0x1565a11f6217a000`),
  ]) {
    await act();
    steps.push(await shown(page));
  }
  while (steps.length > 1) {
    steps.pop();
    const expected = steps.at(-1);
    await page.goBack();
    await untilValue(page, "#text", `${expected?.text}`);
    assert.deepEqual(await shown(page), expected);
  }
});

test("typing makes one entry", async () => {
  const page = await open(found, `#${DISCORD_ID}`);
  await page.click("#clear");
  await page.keyboard.type(TWEET);
  assert.equal((await answer(page)).fields.worker, "26");
  await page.goBack();
  await untilValue(page, "#text", "");
});

test("a typed list keeps the focus, and one click shows all its ids", async () => {
  const page = await open(found);
  await page.focus("#text");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(`${TWEET} ${DISCORD_ID} ${TWEET}`);
  assert.equal(await page.inputValue("#text"), `${TWEET} ${DISCORD_ID} ${TWEET}`);
  assert.match(`${await page.textContent("#more-ids")}`, /^This text has 3 ids\. /);
  await page.getByRole("button", { name: "See all 3" }).click();
  await page.locator("#many-title", { hasText: "3 ids" }).waitFor();
});

test("in Design the example is left out, and the id is that of now", async () => {
  const page = await open(found);
  await page.locator("#parts").getByRole("link", { name: "Design" }).click();
  assert.equal(await page.textContent("#shown-date"), `${new Date(NOW_MS).toISOString()}, now`);
  await page.selectOption("#preset", "discord");
  const link = await copied(page, ".share button");
  assert.equal(link, `${found.origin}#design&layout=discord`);
  await page.locator("#parts").getByRole("link", { name: "Decode" }).click();
  assert.equal(await page.inputValue("#text"), EXAMPLE);
});
