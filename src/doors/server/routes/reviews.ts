import { z } from "zod";
import { sendReview } from "../../../runtime/review/send-review.ts";
import { defineRoute, type Route } from "../route.ts";
import { rowOf } from "./task-actions.ts";

const path = z.string().min(1).max(4096);
const text = z.string().max(100_000);

/** What a task changed, and what is said about it. */
export const reviewRoutes: Route[] = [
  defineRoute("GET /api/tasks/{id}/diff", {
    summary: "What changed in the folder of a task since it began",
    query: z.strictObject({ path: path.exactOptional() }),
    answer: ({ path: { id }, query, world, signal }) =>
      world.runtime.aside.ask("taskDiff", { task: id, ...query }, { signal }),
  }),
  defineRoute("POST /api/tasks/{id}/review", {
    summary: "Sends comments on a difference to the agent, as one message",
    body: z.strictObject({
      comments: z
        .array(
          z.strictObject({
            path,
            line: z.int().positive().exactOptional(),
            side: z.enum(["old", "new"]).exactOptional(),
            quote: text.exactOptional(),
            text,
          }),
        )
        .max(1000),
      text: text.exactOptional(),
    }),
    async answer({ path: { id }, body, world }) {
      const { sent, task } = await sendReview(world.runtime, await world.runtime.tasks.named(id), body);
      return { sent, task: await rowOf(world, task) };
    },
  }),
];
