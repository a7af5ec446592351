import { taskError } from "../../tasks/errors.ts";
import type { Task } from "../../tasks/record/task.ts";
import { isEnded } from "../../tasks/record/task-state.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Starting } from "../starting/open-starting.ts";
import { reviewMessage, type ReviewComment } from "./review-message.ts";

export interface SentReview {
  /** It runs and gets a message, or had ended and goes on. */
  sent: "message" | "continued";
  /** The one that has it now. */
  task: Task;
}

/** Gives comments to the agent that made the changes. Throws `task_refused` for a command, which reads none. */
export async function sendReview(
  { tasks, starting }: { tasks: Tasks; starting: Starting },
  task: Task,
  { comments, text }: { comments: readonly ReviewComment[]; text?: string },
): Promise<SentReview> {
  const { id, agent, cwd } = task.record;
  if (!agent)
    throw taskError("task_refused", `Cannot review task "${id}": it is a command, and reads no comments`);
  if (comments.length === 0 && !text?.trim())
    throw taskError("task_refused", `Cannot review task "${id}": there is no comment; write one first`);
  const prompt = reviewMessage(comments, text);
  if (isEnded(task.state))
    return { sent: "continued", task: await starting.continue(task, { prompt }, { cwd }) };
  await tasks.send(task, prompt);
  return { sent: "message", task };
}
