// Back, Undo, and links to the current state.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { format } from "edgeflake";
import { answer, copied, drag, NOW_MS, open, paste, stage, untilValue } from "./harness/stage.js";

const found = stage();
const TWEET = "1593572310593806338";
const EXAMPLE = `https://x.com/i/status/${TWEET}`;
const DISCORD_ID = "175928847299117063";

/** @param {import("playwright-core").Page} page */
async function shown(page) {
  const [text, preset] = [await page.inputValue("#text"), await page.inputValue("#preset")];
  return { text, preset, ...(await answer(page)) };
}

for (const [
  way,
  back,
] of /** @type {[string, (page: import("playwright-core").Page) => Promise<unknown>][]} */ ([
  ["Back", (page) => page.goBack()],
  ["Undo", (page) => page.click("#undo")],
  ["Ctrl+Z", (page) => page.keyboard.press("Control+z")],
])) {
  test(`${way} undoes a paste, a layout, a flipped bit and a whole drag`, async () => {
    const page = await open(found, "", { width: 1440 });
    const steps = [await shown(page)];
    assert.equal(await page.getAttribute("#undo", "aria-disabled"), "true");
    /** @type {(() => Promise<unknown>)[]} */
    const acts = [
      () => paste(page, DISCORD_ID),
      () => page.selectOption("#preset", "twitter"),
      () => page.locator("#strip .cell").nth(63).click(),
      async () => {
        await page.getByRole("separator", { name: "border between worker and sequence" }).hover();
        const to = await page.locator("#strip .cell").nth(56).boundingBox();
        assert.ok(to);
        await drag(page, to);
      },
      () => paste(page, TWEET),
    ];
    for (const act of acts) {
      await act();
      steps.push(await shown(page));
    }
    await page.locator("#strip").blur();
    while (steps.length > 1) {
      steps.pop();
      await back(page);
      const expected = steps[steps.length - 1];
      await untilValue(page, "#text", expected.text);
      await untilValue(page, "#preset", expected.preset);
      assert.deepEqual(await shown(page), expected);
    }
    assert.equal(await page.getAttribute("#undo", "aria-disabled"), "true");
    await page.keyboard.press("Control+Shift+z");
    await untilValue(page, "#text", DISCORD_ID);
  });
}

test("typing makes one entry, until the input is left", async () => {
  const page = await open(found);
  await page.click("#clear");
  await page.keyboard.type(TWEET);
  assert.equal((await answer(page)).node, "378");
  await page.click("#undo");
  await untilValue(page, "#text", "");
});

test("Undo goes to the last change, past views of other parts", async () => {
  const page = await open(found);
  await paste(page, DISCORD_ID);
  for (const name of ["Design", "Decode"]) {
    await page.locator("#parts").getByRole("link", { name }).click();
  }
  await page.click("#undo");
  await untilValue(page, "#text", EXAMPLE);
});

const written = [
  [`0x${format(TWEET, "hex")}`, `0x${format(BigInt(TWEET) ^ 1n, "hex")}`],
  [format(TWEET, "base62"), format(BigInt(TWEET) ^ 1n, "base62")],
  [format(TWEET, "binary"), format(BigInt(TWEET) ^ 1n, "binary")],
  [`0b${format(TWEET, "binary")}`, `0b${format(BigInt(TWEET) ^ 1n, "binary")}`],
  [`-${2n ** 64n - 2n ** 63n}`, `${-(2n ** 63n) + 1n}`],
  [TWEET, `${BigInt(TWEET) ^ 1n}`],
];

test("a changed id stays in its encoding", async () => {
  const page = await open(found);
  for (const [text, flipped] of written) {
    await paste(page, text);
    await page.locator("#strip .cell").nth(63).click();
    assert.equal(await page.inputValue("#text"), flipped);
    await page.locator("#strip .cell").nth(63).click();
    assert.equal(await page.inputValue("#text"), text);
  }
});

test("a link that is copied right after an edit contains the edit", async () => {
  const page = await open(found, `#${TWEET}`);
  await page.fill("#text", DISCORD_ID);
  // The address is not written yet, because that waits for the end of the typing.
  await page.locator("#link-copy").dispatchEvent("click");
  assert.equal(await copied(page, "link"), `${found.origin}#${DISCORD_ID}`);
});

test("a link to a layout has no id unless the visitor gave one", async () => {
  const page = await open(found);
  await page.locator("#parts").getByRole("link", { name: "Design" }).click();
  assert.equal(await page.inputValue("#text"), "");
  assert.ok(await page.isVisible("#strip"));
  await page.selectOption("#preset", "discord");
  await page.click("#link-copy");
  const link = await copied(page, "link");
  assert.equal(link, `${found.origin}#design&layout=discord`);
  await page.goto("about:blank");
  await open(found, new URL(link).hash);
  assert.equal(await page.inputValue("#preset"), "discord");
  assert.equal(await page.inputValue("#text"), "");
  assert.equal((await answer(page)).time, new Date(NOW_MS).toISOString());
  // Where ids are decoded, the example is there again.
  await page.locator("#parts").getByRole("link", { name: "Decode" }).click();
  assert.equal(await page.inputValue("#text"), EXAMPLE);
});

test("instead of a link of more than 8,000 characters there is a file", async () => {
  const page = await open(found);
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  const ids = Array.from({ length: 3000 }, (_, i) => `${BigInt(TWEET) + BigInt(i) ** 3n}`).join(
    "\n",
  );
  await paste(page, ids);
  await page.click("#link-copy");
  await page.locator("#save").waitFor();
  assert.match(
    `${await page.textContent("#link-note")}`,
    /^A link of [\d,]+ characters is too long to send: at most 8,000 are copied\. Save the text as a file/,
  );
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "before");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  assert.equal(download.suggestedFilename(), "ids.txt");
  assert.equal(readFileSync(await download.path(), "utf8"), ids);
  // The next paste removes the offer, and the file opens again.
  await paste(page, TWEET);
  assert.ok(await page.isHidden("#save"));
  await page.setInputFiles("#file", await download.path());
  await page.locator("#many-title", { hasText: "3,000 ids" }).waitFor();
});
