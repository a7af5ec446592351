import { z } from "zod";
import { answerQuestion } from "../../../runtime/answer-question.ts";
import { defineRoute, type Route } from "../route.ts";

const requestId = z.string().regex(/^[\w-]{1,100}$/, "expected the id of a question");

export const answeringRoutes: Route[] = [
  defineRoute("POST /api/tasks/{id}/answer", {
    summary: "Answers the question of an agent; the first answer counts",
    body: z.discriminatedUnion("behavior", [
      z.strictObject({
        requestId,
        behavior: z.literal("allow"),
        always: z.boolean().exactOptional(),
      }),
      z.strictObject({
        requestId,
        behavior: z.literal("deny"),
        message: z.string().max(10_000),
        interrupt: z.boolean().exactOptional(),
      }),
    ]),
    async answer({ path: { id }, body: { requestId: asked, ...answer }, world: { runtime, by } }) {
      const task = await runtime.tasks.named(id);
      return answerQuestion(runtime, task, { requestId: asked, answer, by });
    },
  }),
];
