import type { Task } from "../../tasks/record/task.ts";
import type { AgentAsked } from "./start-agent.ts";
import type { ContinuationAsked } from "./continue-agent.ts";
import type { NewWorktree } from "./new-worktree.ts";
import type { StartChoicesView } from "./start-choices.ts";
import type { StartingPlace } from "./starting-place.ts";
import type { TaskRow } from "../../tasks/live/task-row.ts";

/** Starting work as somebody asks for it, by the settings of the folder. */
export interface Starting {
  /** Starts an agent here or on the fleet. Throws `setting_refused` for more than the folder's own settings allow. */
  agent(asked: AgentAsked): Promise<Task>;
  /** An ended agent goes on with its conversation. Another agent is looked for from `cwd`. */
  continue(task: Task, asked: ContinuationAsked, place: { cwd: string }): Promise<Task>;
  /** A worktree of a folder's repository, on a branch of its own. Throws `task_refused`. */
  worktree(cwd: string): Promise<NewWorktree>;
  /** What there is to choose from in a folder. */
  choices(query: { cwd: string; rows: readonly TaskRow[] }): Promise<StartChoicesView>;
  /** Tasks that show what Holdfast does: a build, tests that fail, an agent that asks. */
  demo(): Promise<Task[]>;
}

/** Each verb is loaded when it is used. */
export function openStarting(place: StartingPlace): Starting {
  return {
    agent: async (asked) => (await import("./start-agent.ts")).startAgent(place, asked),
    continue: async (task, asked, where) =>
      (await import("./continue-agent.ts")).continueAgent(place, task, asked, where),
    worktree: async (cwd) => (await import("./new-worktree.ts")).newWorktree(cwd, place.env),
    choices: async (query) => (await import("./start-choices.ts")).startChoices(place, query),
    demo: async () => (await import("./demo-tasks.ts")).startDemoTasks(place),
  };
}
