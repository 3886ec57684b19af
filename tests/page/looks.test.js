// The main states in each scheme, on a phone and on a wide screen: nothing is cut off, and axe
// finds no barriers. The focus moves in reading order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { format, Layout } from "edgeflake";
import { checkLooks, open, paste, stage } from "./harness/stage.js";

const found = stage();

const twitter = Layout.preset("twitter");
const many = Array.from({ length: 5000 }, (_, i) =>
  twitter.encode({
    // The times come in bursts, so that the plot has a shape.
    timestampMs: Date.UTC(2024, 0, 1) + i * 1000 + ((i * i * 7919) % 300_000),
    node: (i * i) % 23,
    sequence: i % 3,
  }),
).join("\n");

const log = Array.from({ length: 300 }, (_, i) => {
  const timestampMs = Date.UTC(2024, 0, 1) + i * 1000;
  const [order, user] = [3, 7].map((node) => twitter.encode({ timestampMs, node }));
  const time = new Date(timestampMs + 40 + ((i * i) % 13)).toISOString();
  return `${time} INFO api GET /orders/${order} status=200 user=${user} took=12ms`;
}).join("\n");

/** @type {[name: string, fragment: string, pasted: string][]} */
const states = [
  ["example", "", ""],
  ["three", "", "1593572310593806338\n0x1565a11f6217a000\nnot-an-id\n175928847299117063"],
  ["many", "#text=1&layout=twitter", many],
  ["own", "#text=2097665&layout=timestamp:32 tag.kind:4 node:9 sequence:8 @1600000000000", ""],
  ["refused", `#text=${format(2n ** 63n, "decimal")}&layout=twitter`, ""],
  ["warned", "#text=18446744073709551615&layout=discord", ""],
  ["empty", "#text=", ""],
  ["unread", "#text=what!", ""],
  ["tie", "#1212161512044122112", ""],
  ["none", "#18446744073709551615", ""],
  ["uuid", "#017F22E2-79B0-7CC3-98C4-DC0C0C07398F", ""],
  ["log", "", log],
  ["design", "#design&text=1593572310593806338&layout=twitter", ""],
  [
    "compared",
    `#design&${new URLSearchParams({ text: "1", layout: "discord", pinned: `${twitter}` })}`,
    "",
  ],
  ["none-many", "#many&text=1593572310593806338", ""],
];

for (const [name, fragment, pasted] of states) {
  for (const width of [320, 390, 720, 1440]) {
    test(`${name}, ${width} px`, async () => {
      const page = await open(found, fragment, { width });
      if (pasted) await paste(page, pasted);
      await page.locator("#question:enabled").waitFor();
      const looks = [390, 1440].includes(width) ? undefined : { narrow: {} };
      await checkLooks(page, `${name}-${width}`, looks);
    });
  }
}

/** @type {[part: string, fragment: string, pasted: string][]} */
const orders = [
  ["decode", "", ""],
  ["a tie", "#1212161512044122112", ""],
  // The table shows six lines without a scroll.
  ["many", "", log.split("\n").slice(0, 6).join("\n")],
  ["design", "#design&text=1593572310593806338&layout=twitter", ""],
  ["live", "#live", ""],
  ["clock", "#clock", ""],
];

for (const [part, fragment, pasted] of orders) {
  for (const width of [390, 1440]) {
    test(`the keyboard goes where the eye goes: ${part}, ${width} px`, async () => {
      const { page } = found;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open(found, fragment);
      if (pasted) await paste(page, pasted);
      if (part === "clock") await page.locator("#clock-canvas").waitFor();
      const places = await tabbed(page);
      assert.ok(places.length > 10, `${places.map(({ name }) => name)}`);
      for (const [i, place] of places.entries()) {
        assert.ok(place.isSeen, `${place.name} is not seen`);
        if (i === 0) continue;
        const before = places[i - 1];
        // The focus goes up only to the next column, which is on the right.
        const isUp = place.bottom <= before.top && place.left < before.right;
        assert.ok(!isUp, `${place.name} is above ${before.name}`);
      }
    });
  }
}

/**
 * Returns everything that Tab reaches, from the first to the last, with its place on the page.
 *
 * @param {import("playwright-core").Page} page
 */
async function tabbed(page) {
  const found = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body) return undefined;
      const isAgain = activeElement.hasAttribute("data-tabbed");
      activeElement.setAttribute("data-tabbed", "");
      // A file input is invisible, and its label is what people see.
      const [label] = activeElement instanceof HTMLInputElement ? (activeElement.labels ?? []) : [];
      const seen = activeElement.classList.contains("unseen") ? label : activeElement;
      const { top, bottom, left, right } = seen.getBoundingClientRect();
      return {
        isAgain,
        name: `${activeElement.id || activeElement.textContent?.trim().slice(0, 40)}`,
        top: top + scrollY,
        bottom: bottom + scrollY,
        left,
        right,
        isSeen: seen.checkVisibility() && right > left && bottom > top,
      };
    });
    if (!place || place.isAgain) return found;
    found.push(place);
  }
}
