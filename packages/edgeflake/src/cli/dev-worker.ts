// The Worker that `edgeflake dev` serves. Any page in a browser can reach a port of its machine, by
// a name that resolves to it, so requests that do not come from this machine's own pages are refused.

import Worker from "../worker/index.js";

export * from "../worker/index.js";

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export default class extends Worker {
  override async fetch(request: Request): Promise<Response> {
    const origin = request.headers.get("Origin") ?? request.url;
    for (const [name, value] of [
      ["Host", request.url],
      ["Origin", origin],
    ] as const) {
      const host = URL.canParse(value) ? new URL(value).hostname : value;
      if (LOCAL.test(host)) continue;
      const detail = `${name} is ${host}: edgeflake dev answers localhost, 127.0.0.1 and [::1] alone; deploy the Worker to use it from elsewhere`;
      const headers = { "Content-Type": "application/problem+json" };
      const body = JSON.stringify({ title: "Forbidden", status: 403, detail });
      return new Response(body, { status: 403, headers });
    }
    return super.fetch(request);
  }
}
