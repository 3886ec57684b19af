// Stands before edgeflake's Worker, and knows its token.

export default {
  /** @param {Request} request @param {any} env */
  async fetch(request, env) {
    const passed = new Request(request);
    passed.headers.set("Authorization", "Bearer lease-token-of-tests");
    return env.IDS.fetch(passed);
  },
};
