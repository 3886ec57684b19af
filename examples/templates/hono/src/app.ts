import { EdgeflakeError, type LeasedGenerator } from "edgeflake/lease";
import { Hono } from "hono";

/** Makes the app. The generator is an argument, so that tests can pass another generator. */
export function createApp(ids: LeasedGenerator) {
  const app = new Hono<{ Bindings: Env; Variables: { ids: LeasedGenerator } }>();

  app.use(async (c, next) => {
    c.set("ids", ids);
    await next();
  });

  app.post("/orders", async (c) => {
    // The id is a string, because JavaScript rounds large numbers in JSON.
    const id = await c.var.ids.nextString();
    return c.json({ id }, 201);
  });

  app.notFound((c) => c.text("POST /orders creates an order\n", 404));

  app.onError((error, c) => {
    if (!(error instanceof EdgeflakeError) || error.retryInMs === undefined) throw error;
    c.header("Retry-After", String(Math.ceil(error.retryInMs / 1000)));
    return c.json({ error: error.code }, 503);
  });

  return app;
}
