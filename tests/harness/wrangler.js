// Configures the Workers that run in wrangler's test harness.

import { createTestHarness } from "wrangler";

export const compatibility_date = "2026-10-01";

export const classes = ["Authority", "Directory"];

export const migrations = [{ tag: "v1", new_sqlite_classes: classes }];

/**
 * Returns the bindings of the two classes.
 *
 * @param {string} [script_name] the Worker that has the classes, if it is another Worker
 */
export const bound = (script_name) => ({
  bindings: classes.map((class_name) => ({
    name: class_name.toUpperCase(),
    class_name,
    ...(script_name && { script_name }),
  })),
});

/**
 * Makes a harness of Workers in this repository.
 *
 * @param {Record<string, any>} workers their configurations, by name
 */
export const harnessOf = (workers) =>
  createTestHarness({
    root: new URL("../..", import.meta.url).pathname,
    workers: Object.entries(workers).map(([name, config]) => ({
      config: { name, compatibility_date, ...config },
    })),
  });
