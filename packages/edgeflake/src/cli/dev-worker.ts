// The Worker that `edgeflake dev` serves. It refuses requests whose host or origin is not this
// machine. Otherwise any web page that is open on the machine could send requests to the Worker,
// even by a host name of the page's own that resolves to 127.0.0.1.

import Worker from "../worker/index.js";

export * from "../worker/index.js";

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export default class extends Worker {
  override async fetch(request: Request): Promise<Response> {
    const origin = request.headers.get("Origin") ?? request.url;
    for (const [name, value] of Object.entries({ Host: request.url, Origin: origin })) {
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
