/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {string | number | bigint} content
 */
export function make(tag, className, content = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = String(content);
  return made;
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return found;
}

/**
 * @param {string} id
 * @param {string | number} content
 */
export function say(id, content) {
  const place = element(id, HTMLElement);
  // A screen reader reads a changed text again, so the same one is left alone.
  if (place.textContent !== String(content)) place.textContent = String(content);
}

/**
 * Writes the items of a list. Returns whether they differ from those that were there.
 *
 * @param {string} id
 * @param {string[]} contents
 */
export function sayAll(id, contents) {
  const list = element(id, HTMLElement);
  const before = [...list.children].map(({ textContent }) => textContent);
  if (before.join("\n") === contents.join("\n")) return false;
  list.replaceChildren(...contents.map((content) => make("li", "", content)));
  return true;
}

/**
 * Returns the result of `read` for an input. If it fails, shows the reason beside the input and
 * returns `undefined`.
 *
 * @template T
 * @param {HTMLElement} input
 * @param {string} errorId
 * @param {() => T} read
 */
export function accept(input, errorId, read) {
  let refusal = "";
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    refusal = error.message;
  } finally {
    input.ariaInvalid = String(refusal !== "");
    say(errorId, refusal);
  }
}

/**
 * Shows a value in an input, unless the visitor is typing in it.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {string | number | bigint} value
 */
export function put(input, value) {
  if (input !== document.activeElement && input.value !== String(value)) {
    input.value = String(value);
  }
}

/**
 * Makes a button that copies a text.
 *
 * @param {string} name name of the text, for readers who do not see its place
 * @param {() => string} text
 * @param {string} title
 */
export function copyButton(name, text, title = "Copy") {
  const button = make("button", "quiet copy", title);
  button.type = "button";
  button.ariaLabel = `Copy ${name}`;
  copyOnClick(button, name, text, button);
  return button;
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} name
 * @param {() => string} text
 * @param {HTMLElement} told shows for a moment that the text is copied
 */
export function copyOnClick(button, name, text, told) {
  let before = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  button.addEventListener("click", async () => {
    if (timer === undefined) before = told.textContent ?? "";
    clearTimeout(timer);
    try {
      await navigator.clipboard.writeText(text());
      say("status", `${name} copied`);
      told.textContent = "Copied";
    } catch {
      say("status", "this browser does not let the page copy: select the text and copy it");
      told.textContent = "Not allowed";
    }
    timer = setTimeout(() => {
      timer = undefined;
      told.textContent = before;
    }, 1500);
  });
}
