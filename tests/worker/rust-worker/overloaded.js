// Objects that refuse everything because they are overloaded.

import { DurableObject } from "cloudflare:workers";

export class Authority extends DurableObject {
  fetch() {
    return Response.json({
      refused: { refusal: "overloaded", incarnation: 0, retry_in_ms: 2_000 },
    });
  }
}

export class Directory extends DurableObject {}

export default { fetch: () => new Response(null, { status: 404 }) };
