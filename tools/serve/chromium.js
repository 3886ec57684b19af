/**
 * Starts headless Chromium without a sandbox, because CI runs it as root. With these arguments,
 * Chromium sends no requests of its own to Google.
 *
 * @param {string[]} [args]
 */
export async function launchChromium(args = []) {
  // Import playwright-core only here, because the calling command may have to install it first.
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
