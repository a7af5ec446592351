import { z } from "zod";
import { defineRoute, type Route } from "../route.ts";

const id = z.string().min(1).max(200);
const offset = z.int().nonnegative();

const watchBody = z.strictObject({
  outputs: z.array(z.strictObject({ task: id, stream: z.enum(["stdout", "stderr"]), from: offset })).max(20),
  conversations: z
    .array(
      z.strictObject({
        session: id,
        project: z.string().max(300).exactOptional(),
        agent: id.exactOptional(),
        view: z.enum(["whole", "context"]),
        leaf: id.exactOptional(),
        generation: z.string().max(500),
        total: offset,
      }),
    )
    .max(20),
});

export const eventRoutes: Route[] = [
  defineRoute("GET /api/events", {
    summary: "Server-sent events: what changes, as it changes",
    query: z.strictObject({ after: z.string().max(16_000).exactOptional() }),
    events: ({ query: { after }, world, lastEventId, signal }) =>
      world.streams.open(world, { after: after ?? lastEventId, signal }),
  }),
  defineRoute("POST /api/events/{stream}/watch", {
    summary: "Which outputs and conversations a stream is to tell of as they grow",
    body: watchBody,
    async answer({ path: { stream }, body, world }) {
      world.streams.watch(world, stream, body);
      return { done: true };
    },
  }),
];
