import type { Agents } from "../../../agents/open-agents.ts";
import type { ThreadsWorld } from "../../../agents/threads/open-threads.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";

/** Everything that the chat works with, given to it once. */
export interface ChatWorld extends ThreadsWorld {
  tasks: Tasks;
  agents: Agents;
  /** Who stops a task, for its ending. */
  userName: string;
}
