// The markup of the playground.

import { NAMES } from "./words.js";

/** The buttons of a clock. */
const BUTTONS = [
  ["freeze", "Freeze"],
  ["-5000", "−5 s"],
  ["-3600000", "−1 h"],
  ["3600000", "+1 h"],
  ["right", "Set right"],
];

const SHAPES = [
  '<circle cx="6" cy="6" r="5" />',
  '<rect x="1" y="1" width="10" height="10" />',
  '<path d="M6 0.5 L11.5 11 L0.5 11 Z" />',
];

/** @param {string} name @param {number} process */
function card(name, process) {
  const buttons = BUTTONS.map(([value, title]) => {
    const pressed = value === "freeze" ? ' aria-pressed="false"' : "";
    return `<button type="button" class="quiet" value="${value}"${pressed}>${title}</button>`;
  });
  return `
    <article class="clock-process" data-process="${process}" aria-labelledby="clock-name-${process}">
      <h2 id="clock-name-${process}">
        <svg class="clock-key" viewBox="0 0 12 12" aria-hidden="true">${SHAPES[process]}</svg>
        ${name} <span class="clock-reading"></span> <span class="clock-offset"></span>
      </h2>
      <div class="clock-buttons" role="group" aria-label="Clock of ${name}">${buttons.join("")}</div>
      <p class="clock-figures note"></p>
      <p class="clock-doing"></p>
    </article>`;
}

const COSTS = [
  ["issued", "Ids issued"],
  ["duplicates", "Duplicates, over all ids"],
  ["late", "Ids with an earlier time than one issued before"],
  ["latestMs", "How much earlier, at most"],
  ["failed", "Requests that got no id"],
  ["longestMs", "Longest wait for an id"],
];

export const MARKUP = `
  <div class="clock-intro">
    <h1>Break the clock</h1>
    <p>A lease is a rectangle, granted once, so no clock can make two ids equal.</p>
  </div>
  <div class="clock-bar">
    <button type="button" id="clock-play">Pause</button>
    <button type="button" id="clock-step" class="quiet">Step 1 s</button>
    <button type="button" id="clock-again" class="quiet">Start over</button>
    <label for="clock-rate">
      Ids per s and process
      <select id="clock-rate"><option>20</option><option selected>60</option><option>200</option></select>
    </label>
  </div>
  <div class="clock-switches">
    <label class="clock-switch">
      <input type="checkbox" role="switch" id="clock-classic" />
      Run the classic snowflake on the same clocks
    </label>
    <label class="clock-switch" id="clock-share-row" hidden>
      <input type="checkbox" role="switch" id="clock-share" />
      B and C were given the same node number
    </label>
  </div>
  <p class="clock-score">
    <span class="clock-score-title">Duplicates</span>
    <span id="clock-score-classic" hidden>classic <strong></strong></span>
    <span id="clock-score-leased">edgeflake <strong></strong></span>
  </p>
  <div>
    <canvas
      id="clock-canvas"
      tabindex="0"
      role="application"
      aria-roledescription="picture"
      aria-label="Ids as dots, by node and time, and the leases as rectangles"
      aria-describedby="clock-summary clock-keys"
    ></canvas>
    <p id="clock-keys" class="note">
      Drag the hand of a clock, or use the buttons below. Each dot is an id: press one to see its bits,
      or choose it with the arrow keys and press Enter. The space bar stops time.
    </p>
    <p id="clock-chosen" class="note" aria-live="polite"></p>
  </div>
  <div class="clock-processes">${NAMES.map(card).join("")}</div>
  <div class="clock-words">
    <div>
      <h2>What is seen</h2>
      <p id="clock-summary"></p>
      <p id="clock-said" class="unseen" role="status"></p>
    </div>
    <table class="clock-costs">
      <caption>What it costs</caption>
      <thead>
        <tr>
          <td></td>
          <th scope="col">edgeflake</th>
          <th scope="col" class="clock-of-classic">classic</th>
        </tr>
      </thead>
      <tbody>
        ${COSTS.map(
          ([key, title]) => `
        <tr data-cost="${key}">
          <th scope="row">${title}</th>
          <td></td>
          <td class="clock-of-classic"></td>
        </tr>`,
        ).join("")}
      </tbody>
    </table>
  </div>
  <details class="clock-about">
    <summary>What is real here, and what edgeflake pays</summary>
    <p>
      The authority, the holders and the generators are those of the package, compiled from the same
      Rust. Time, clocks, messages and requests are simulated. So that a rectangle fits into the
      picture, a lease lasts <span id="clock-lease"></span> and ids may run
      <span id="clock-future"></span> ahead of a clock; by default it is 5 min and 15 s.
    </p>
    <p>
      edgeflake pays with order and availability, never with a duplicate. When a clock goes back, ids
      go on after the newest one, so their time is ahead of that clock. When a clock stands still, ids
      keep their old time. When a clock is more than 10 s off, the authority grants that process no
      lease, so its requests fail until the clock is set right.
    </p>
    <p>
      The classic snowflake is the algorithm of nodejs-snowflake 2.0.1: in another millisecond, be it
      later or earlier, the sequence begins at 0. So it issues the same ids again when the clock goes
      back. When the clock stands still, it spins after 1,024 ids; here such a request fails. Other
      libraries refuse while the clock is behind, so they pay with availability, too, and a restart
      makes them forget how far they were.
    </p>
  </details>
`;
