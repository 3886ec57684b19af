// The Worker that `edgeflake dev` serves. Any web page that is open on this machine can send
// requests to the machine's ports, even by a host name of its own that resolves to 127.0.0.1.
// Therefore this Worker refuses requests whose host or origin is not this machine.

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
      const detail = `${name} is ${host}: edgeflake dev answers only localhost, 127.0.0.1 and [::1]; deploy the Worker to use it from elsewhere`;
      const headers = { "Content-Type": "application/problem+json" };
      const body = JSON.stringify({ title: "Forbidden", status: 403, detail });
      return new Response(body, { status: 403, headers });
    }
    return super.fetch(request);
  }
}
