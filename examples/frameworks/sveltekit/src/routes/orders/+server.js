import { json } from "@sveltejs/kit";

export async function POST({ platform }) {
  return json({ id: await platform.env.IDS.nextString() }, { status: 201 });
}
