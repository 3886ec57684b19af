// A Worker in front of edgeflake's Worker. It adds the token.

export default {
  /** @param {Request} request @param {any} env */
  async fetch(request, env) {
    const passed = new Request(request);
    passed.headers.set("Authorization", "Bearer lease-token-of-tests");
    return env.IDS.fetch(passed);
  },
};
