import type { Task } from "../../tasks/record/task.ts";
import type { AgentLimits, PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import type { Runtime } from "../open-runtime.ts";

/** What a start box asks for. */
export type WorkAsked =
  | {
      kind: "command";
      command: string;
      cwd: string;
      name?: string;
      description?: string;
      /** In a new git worktree of the folder. */
      worktree?: boolean;
      timeoutMs?: number;
      tty?: boolean;
      stdin?: boolean;
      queue?: boolean;
    }
  | {
      kind: "agent";
      prompt: string;
      cwd: string;
      /** Without one as `settings` say. */
      agent?: string;
      model?: string;
      type?: string;
      permission?: PermissionPolicy;
      limits?: AgentLimits;
      name?: string;
      where?: "here" | "worktree" | "fleet";
      /** Only workers with this label, on the fleet. */
      label?: string;
      /** Goes on from where this session is: prompt and answer become part of it. */
      from?: string;
      queue?: boolean;
    };

/** Starts a command or an agent, in its folder or in a worktree that is made for it. */
export async function startWork(
  { tasks, starting, sessions }: Pick<Runtime, "tasks" | "starting" | "sessions">,
  asked: WorkAsked,
): Promise<Task> {
  if (asked.kind === "command") {
    const { kind: _kind, worktree, ...request } = asked;
    return tasks.start({ ...request, cwd: await placeOf(worktree === true) });
  }
  const { kind: _kind, where, label, from, ...request } = asked;
  return starting.agent({
    ...request,
    cwd: await placeOf(where === "worktree"),
    remote: where === "fleet" ? { label } : undefined,
    from: from === undefined ? undefined : await sessions.named(from),
  });

  async function placeOf(isWorktree: boolean): Promise<string> {
    return isWorktree ? (await starting.worktree(asked.cwd)).cwd : asked.cwd;
  }
}
