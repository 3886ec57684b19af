import { EdgeflakeError, type LeasedGenerator } from "edgeflake/lease";

/** Makes the handler. The generator is an argument, so that tests can pass another generator. */
export function handler(ids: LeasedGenerator) {
  return {
    async fetch(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url);
      if (pathname !== "/orders") {
        return new Response("POST /orders creates an order\n", { status: 404 });
      }
      if (request.method !== "POST") {
        return new Response(null, { status: 405, headers: { Allow: "POST" } });
      }
      try {
        // The id is a string, because JavaScript rounds large numbers in JSON.
        const id = await ids.nextString();
        return Response.json({ id }, { status: 201 });
      } catch (error) {
        if (!(error instanceof EdgeflakeError) || error.retryInMs === undefined) throw error;
        const seconds = Math.ceil(error.retryInMs / 1000);
        const headers = { "Retry-After": String(seconds) };
        return Response.json({ error: error.code }, { status: 503, headers });
      }
    },
  };
}
