// Tests the story: its scenes, in which the real authority and generators issue the ids, and its
// playground. Most tests ask for reduced motion, so that each scene appears at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLooks, stage, texts } from "./harness/stage.js";

const found = stage();

/** @typedef {import("playwright-core").Page} Page */

/**
 * Each row has a scene's title, a part of its words, and the scores of classic snowflake and of
 * edgeflake: ids, duplicates and the longest wait. The first scene has no scores.
 *
 * @type {[title: string, words: string, classic: string, edgeflake: string][]}
 */
const scenes = [
  ["An id is a time, a node and a number", "the time on its clock, its own letter", "", ""],
  ["Two computers, no clash", "one wrote A, the other B", "18 0 0 s", "18 0 0 s"],
  ["You turned a clock back", "believes that it is 12:00:11", "18 0 0 s", "18 0 0 s"],
  ["One id, twice", "Classic snowflake makes 12A0 again", "21 1 0 s", "20 0 0.9 s"],
  ["The pen never goes back", "then it could write in second 16.", "24 3 0 s", "23 0 1 s"],
  ["One letter, one computer", "lends a letter to one computer", "30 6 0 s", "30 0 1 s"],
];

/** @param {number} [scene] @param {object} [media] */
async function openStory(scene = 1, media = {}) {
  const { page, origin } = found;
  await page.emulateMedia({ reducedMotion: "reduce", ...media });
  await page.goto(`${origin}#story&scene=${scene}`);
  await page.locator(".story").waitFor();
  return page;
}

/** Waits for a scene, and checks what it says. @param {Page} page @param {number} scene */
async function checkScene(page, scene) {
  const [title, words, ...scores] = scenes[scene - 1];
  await page.getByRole("heading", { name: title, exact: true }).waitFor();
  const told = `${await page.textContent(".told")}`;
  assert.ok(told.includes(words), told);
  assert.deepEqual(await scored(page), scores[0] === "" ? [] : scores);
}

/** Returns the scores of classic snowflake and of edgeflake. @param {Page} page */
async function scored(page) {
  const numbers = await texts(page, ".score dd");
  return numbers.length === 0
    ? []
    : [numbers.slice(0, 3), numbers.slice(3)].map((n) => n.join(" "));
}

/** Returns the number of duplicates of each. @param {Page} page */
async function duplicates(page) {
  const [classic, edgeflake] = (await scored(page)).map((score) => Number(score.split(" ")[1]));
  return { classic, edgeflake };
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  test(`the keyboard goes through all scenes, each of which is in view, ${width} px`, async () => {
    const { page } = found;
    await page.setViewportSize({ width, height });
    await openStory();
    const button = page.locator(".button.accent").first();
    await page.focus("#parts a:last-child");
    while (!(await button.evaluate((one) => one === document.activeElement))) {
      await page.keyboard.press("Tab");
    }
    for (let scene = 1; scene <= scenes.length; scene++) {
      await checkScene(page, scene);
      const parts = [".question", ".button.accent", ".scores", ".scores + .computer > :last-child"];
      if (scene === 6) parts.push(".lending");
      for (const part of parts.slice(0, scene > 1 ? 5 : 2)) {
        const isInView = await page
          .locator(part)
          .last()
          .evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight);
        assert.ok(isInView, `${part} of scene ${scene}`);
      }
      await page.locator(".button.accent:focus").waitFor();
      const said = page.locator("#status", { hasText: `${scenes[scene - 1][0]}. ` });
      if (scene > 1) await said.waitFor({ state: "attached" });
      await checkLooks(page, `story-${scene}-${width}`);
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
      await page.keyboard.press("Enter");
    }
    await page.locator("h2:focus", { hasText: "Try to break it" }).waitFor();
    await page.locator(".lane").last().scrollIntoViewIfNeeded();
    const { y = -1 } = (await page.locator(".scores").boundingBox()) ?? {};
    assert.ok(y >= 0, "the score scrolls away");
    await checkLooks(page, `story-playground-${width}`);
  });
}

test("a link opens its scene, and the browser goes back to the one before", async () => {
  for (const scene of scenes.keys()) await checkScene(await openStory(scene + 1), scene + 1);
  const page = await openStory(3);
  await page.getByRole("link", { name: "Scene 5: " }).click();
  await checkScene(page, 5);
  assert.equal(new URL(page.url()).hash, "#story&scene=5");
  await page.goBack();
  await checkScene(page, 3);
  await page.reload();
  await checkScene(page, 3);
});

test("Back stops a scene that plays", async () => {
  const page = await openStory(1, { reducedMotion: "no-preference" });
  await page.locator(".button.accent").first().click();
  await page.locator('.button.accent[aria-disabled="true"]').first().waitFor();
  await page.goBack();
  await page.locator(".button.accent:not([aria-disabled])").first().waitFor();
  await checkScene(page, 1);
});

test("on a phone, the ids are large enough to read", async () => {
  await found.page.setViewportSize({ width: 390, height: 844 });
  const page = await openStory(7);
  for (const id of await page.locator(".written").all()) {
    assert.ok(((await id.boundingBox())?.width ?? 0) >= 24);
    assert.equal(await id.evaluate((one) => getComputedStyle(one).fontSize), "15px");
  }
});

test("both equal ids are seen and read, and a line joins them", async () => {
  const page = await openStory(4);
  const read = page.getByRole("img", { name: "Classic snowflake, ids of computer 1" });
  assert.match(
    `${await read.getAttribute("aria-label")}`,
    /: 10A0, 11A0, 11A1, 12A0, .*, 12A0 again$/,
  );
  assert.deepEqual(await texts(page, ".written.wrong"), ["12A0"]);
  assert.equal(await page.locator(".join").count(), 1);
  const [first, second] = await texts(page, ".whole");
  assert.equal(first.replace("first", "second"), second);
  assert.equal(await page.locator(".differs").count(), 0);
});

test("the pen and the authority are drawn in the scene that explains them", async () => {
  const stored = [
    "A for computer 1, 08 … 25",
    "B for computer 2, 08 … 25",
    "A's next stretch begins at 26 or later",
  ];
  for (const [scene, pens, lent] of /** @type {[number, number, string[]][]} */ ([
    [4, 0, []],
    [5, 2, []],
    [6, 2, stored],
  ])) {
    const page = await openStory(scene);
    for (const mark of [".mark.pen", ".mark.limit", ".spent"]) {
      assert.equal(await page.locator(mark).count(), pens, mark);
    }
    assert.deepEqual(await texts(page, ".lending > p"), lent);
  }
  const page = await openStory(5);
  const read = await page.locator(".whole").evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.match(`${read[0]}`, /^before the clock went back: 15A1, /);
  assert.match(`${read[1]}`, /^after the clock went back: 16A0, /);
});

test("otherwise a scene plays, second after second, to the same end", async () => {
  const page = await openStory(1, { reducedMotion: "no-preference" });
  const button = page.locator(".button.accent").first();
  const before = await button.boundingBox();
  await button.click();
  await page.locator(".stage").waitFor();
  assert.deepEqual(await button.boundingBox(), before, "the button has moved");
  await checkScene(page, 2);
  await page.goto(`${found.origin}#story&scene=1`);
  await checkScene(page, 1);
  await button.dblclick();
  await page.locator('.button.accent[aria-disabled="true"]').first().waitFor();
  await checkScene(page, 2);
  await page.locator(".button.accent:not([aria-disabled])").waitFor();
  await checkScene(page, 2);
  await button.click();
  await page.getByRole("link", { name: "Scene 3: " }).click();
  assert.equal(await page.textContent(".told h2"), scenes[2][0], "a step ends the playing");
});

test("who leaves the story no longer hears it", async () => {
  const page = await openStory(2);
  await page.locator(".button.accent").click();
  await page
    .locator("#status", { hasText: "You turned a clock back" })
    .waitFor({ state: "attached" });
  await page.click("#parts a:first-child");
  await page.locator("#text").waitFor();
  assert.equal(await page.textContent("#status"), "");
});

test("no link between duplicates is hidden", async () => {
  for (const width of [390, 1440]) {
    await found.page.setViewportSize({ width, height: 844 });
    const page = await openStory(7);
    const links = await page.locator(".join").all();
    assert.equal(links.length, 6);
    for (const link of links) {
      const isOnTop = await link.evaluate((one) => {
        one.scrollIntoView({ block: "center" });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const x = one.classList.contains("right") ? right - 1 : left + 1;
        return document.elementFromPoint(x, (top + bottom) / 2) === one;
      });
      assert.ok(isOnTop);
    }
  }
});

/** @type {[scene: number, answer: string, next: string][]} */
const guesses = [
  [1, "No", "You are right. They differ"],
  [1, "Yes", "You expected a clash. They differ"],
  [3, "A new id", "No, it trusts its clock: it makes an old one. Classic"],
  [5, "Yes", "No, that stretch is taken. The authority"],
  [5, "No", "You are right. The authority"],
];

test("an answer leads to the next scene, which replies", async () => {
  for (const [scene, name, next] of guesses) {
    const page = await openStory(scene);
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("heading", { name: scenes[scene][0] }).waitFor();
    const told = `${await page.textContent(".told > p")}`;
    assert.ok(told.startsWith(next), told);
  }
});

test("it is loaded when it is first shown, and then works offline", async () => {
  const { origin } = found;
  const page = await found.newPage();
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url()));
  const ofStory = () => loaded.filter((url) => url.includes("story"));
  await page.goto(origin);
  await page.locator("main h1").waitFor();
  assert.deepEqual(ofStory(), []);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.click("#parts a:last-child");
  await page.locator(".story").waitFor();
  assert.notDeepEqual(ofStory(), []);
  await page.context().setOffline(true);
  await page.reload();
  await page.locator(".story").waitFor();
});

test("if it cannot be loaded, the page says what to do", async () => {
  const { page, origin } = found;
  await page.route("**/edgeflake_story_bg.wasm", (route) => route.abort());
  await page.goto(`${origin}#story`);
  await page.getByText("This part could not be loaded. Go online").waitFor();
  found.complaints.splice(0);
  await page.unroute("**/edgeflake_story_bg.wasm");
  await page.getByRole("button", { name: "Load again" }).click();
  await page.locator(".story").waitFor();
});

/**
 * Each row has buttons that break the computers, the seconds that pass, the news, and whether
 * classic snowflake repeats more ids. edgeflake never does.
 *
 * @type {[presses: string[], seconds: number, news: RegExp, repeats: boolean][]}
 */
const ways = [
  [[], 9, /^\n/, false],
  [["Back 4 s: clock of computer 2"], 3, /Classic snowflake repeated 18B0/, true],
  [
    ["Back 4 s: clock of computer 1"],
    3,
    /letter C for \d+ … \d+: no other computer has C .* With A, computer 1 would wait longer\./,
    true,
  ],
  [["Restart computer 2"], 1, /With edgeflake, computer 2 waits\./, false],
  [
    ["Add a copy"],
    2,
    /lends computer 3 letter C for \d+ … \d+: no other computer has C in these seconds\./,
    true,
  ],
];

for (const [presses, seconds, news, repeats] of ways) {
  test(`playground: ${presses.join(", ") || "nothing"}`, async () => {
    const page = await openStory(scenes.length + 1);
    for (const name of presses) await page.getByRole("button", { name }).click();
    let said = "";
    for (let i = 0; i < seconds; i++) {
      await page.getByRole("button", { name: "One second" }).click();
      said += `${await page.textContent(".news")}\n`;
    }
    assert.match(said, news);
    const { classic, edgeflake } = await duplicates(page);
    assert.equal(classic > 6, repeats, `${classic}`);
    assert.equal(edgeflake, 0);
    const lesson = `has made ${classic} duplicates. edgeflake has made none: requests waited`;
    const told = `${await page.textContent(".lesson")}`.replaceAll(/\s+/g, " ");
    assert.ok(told.replace(".edge", ". edge").includes(lesson), told);
    await page.getByRole("button", { name: "Begin again" }).click();
    assert.deepEqual(await scored(page), scenes.at(-1)?.slice(2));
  });
}

test("words count the duplicates of a copy, which no bracket marks", async () => {
  const page = await openStory(scenes.length + 1);
  await page.getByRole("button", { name: "Add a copy" }).click();
  const second = page.getByRole("button", { name: "One second" });
  for (let i = 0; i < 2; i++) await second.click();
  await page.getByText(/Classic snowflake letter B, by its settings; \d duplicates$/).waitFor();
});

test("a clock too far off gets no lease, and the page says why", async () => {
  const page = await openStory(scenes.length + 1);
  const back = page.getByRole("button", { name: "Back 4 s: clock of computer 1" });
  for (let i = 0; i < 3; i++) await back.click();
  const second = page.getByRole("button", { name: "One second" });
  for (let i = 0; i < 5; i++) await second.click();
  await page.getByText("lends none to a clock that is more than 10 s off.").waitFor();
  const lane = page.getByRole("img", { name: "Classic snowflake, ids of computer 1" });
  assert.match(`${await lane.getAttribute("aria-label")}`, /08A0$/, "the chart follows the clock");
});

test("the playground plays, and pauses", async () => {
  const page = await openStory(scenes.length + 1);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => Number(document.querySelector(".score dd")?.textContent) > 30);
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = await scored(page);
  await page.getByRole("button", { name: "One second" }).click();
  assert.notDeepEqual(await scored(page), paused);
});
