import type { MainSession } from "../../../agents/main-session/main-session.ts";
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
export async function leaveChat(controller: ChatController, world: ChatWorld): Promise<Farewell> {
  const { front } = controller.threads;
  const { id, isBegun } = front.session;
  await front.stop();
  const ended: string[] = [];
  for (const { main, isRunning } of controller.threads.listBackground())
    if (isRunning && !(await goOnAlone(main, world))) ended.push(main.task.record.id);
  await controller.close();
  return { sessionId: isBegun ? id : undefined, running: await world.tasks.list({ cwd: world.cwd }), ended };
}

// It is ended here and continued there from its transcript: what it had said is not said again.
async function goOnAlone(
  { task }: MainSession,
  { tasks, agents, userName: by, permission }: ChatWorld,
): Promise<boolean> {
  const found = await tasks.find(task.record.id);
  await tasks.stop(found, { by, reason: "the chat ended; it goes on in a process of its own" });
  try {
    await agents.continue(await tasks.refresh(found), { permission });
    return true;
  } catch {
    return false;
  }
}
