import type { Task } from "../../../tasks/record/task.ts";
import type { ChatController } from "./chat-controller.ts";
import type { ChatWorld } from "./chat-world.ts";

/** What is left when a chat ends. */
export interface Farewell {
  /** The session to go on with later; undefined when nothing was said. */
  sessionId: string | undefined;
  /** Tasks of this folder that go on. */
  running: Task[];
  /** Queries that could not go on without the chat. */
  ended: string[];
}

/** Ends the query in front, gives those in the background a process of their own, and closes everything. */
export async function leaveChat(
  controller: ChatController,
  { runtime, cwd, userName: by }: ChatWorld,
): Promise<Farewell> {
  const { sessionId, ended } = await controller.threads.leave({ by });
  await controller.close();
  return { sessionId, running: await runtime.tasks.list({ cwd }), ended };
}
