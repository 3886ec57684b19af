/**
 * Headless Chromium without a sandbox, as root in CI, and without its own calls home.
 *
 * @param {string[]} [args]
 */
export async function launchChromium(args = []) {
  // It is not imported above, because a command that uses it may install it first.
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: process.env.EDGEFLAKE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
}
