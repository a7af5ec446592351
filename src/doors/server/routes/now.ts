import { nowView } from "../../../runtime/now.ts";
import { questionView } from "../../../runtime/views/question-view.ts";
import { defineRoute, type Route } from "../route.ts";

export const nowRoutes: Route[] = [
  defineRoute("GET /api/now", {
    summary: "What needs somebody, what runs, what ended unseen, what was lost, what happened today",
    answer: async ({ world: { runtime, live } }) => nowView(runtime, await live.all()),
  }),
  defineRoute("GET /api/questions", {
    summary: "Every question of an agent that waits for an answer",
    async answer({ world: { live } }) {
      const questions = await Promise.all((await live.all()).map(questionView));
      return { questions: questions.filter((question) => question !== undefined) };
    },
  }),
];
