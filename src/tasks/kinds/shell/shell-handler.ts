import { readTaskOutput } from "../../output/task-output.ts";
import type { TaskKindHandler } from "../../kind-handler.ts";
import { stopTask } from "../../supervise/stop-task.ts";
import { sendInput } from "./send-input.ts";

/** Shell commands. */
export const shellHandler: TaskKindHandler = {
  getOutput: readTaskOutput,
  stop: stopTask,
  send: sendInput,
};
