import type { AnswerFile, GivenAnswer } from "../tasks/kinds/agent/permission-answer.ts";
import type { Task } from "../tasks/record/task.ts";
import type { Runtime } from "./open-runtime.ts";
import type { AnsweredView } from "./views/question-view.ts";

/** Answers a question of an agent. Of several answers the first counts: whoever comes later is told who was faster. */
export async function answerQuestion(
  { agents }: Pick<Runtime, "agents">,
  task: Task,
  given: GivenAnswer,
): Promise<AnsweredView> {
  const { requestId } = given;
  let isYours = true;
  try {
    await agents.answer(task, given);
  } catch (error) {
    if (!(await agents.answered(task, requestId))) throw error;
    isYours = false;
  }
  const answered = await agents.answered(task, requestId);
  // On the fleet an answer is kept where the agent runs.
  const kept = answered ?? { answer: given.answer, by: given.by, at: new Date().toISOString() };
  return answeredView(task.record.id, requestId, kept, { isYours });
}

export function answeredView(
  taskId: string,
  requestId: string,
  { answer, by, at }: Pick<AnswerFile, "answer" | "by" | "at">,
  { isYours }: { isYours: boolean },
): AnsweredView {
  const { behavior } = answer;
  const isAlways = answer.behavior === "allow" && answer.always === true;
  return { taskId, requestId, behavior, isAlways, by, at, isYours };
}
