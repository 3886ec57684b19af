import { EdgeflakeError, type LeasedGenerator } from "edgeflake/lease";

export const handler = (ids: LeasedGenerator) => ({
  async fetch(request: Request) {
    try {
      return Response.json({ id: await ids.nextString("decimal", { signal: request.signal }) });
    } catch (error) {
      if (!(error instanceof EdgeflakeError) || error.retryInMs === undefined) throw error;
      const seconds = Math.ceil(error.retryInMs / 1000);
      return new Response(error.code, { status: 503, headers: { "Retry-After": `${seconds}` } });
    }
  },
});
