import os from "node:os";
import type { OpenThreads, OpenThreadsPorts, ThreadsWorld } from "../agents/threads/open-threads.ts";
import type { SessionRef } from "../store/index.ts";
import type { RunnerSpec } from "../tasks/kinds/agent/agent-settings.ts";

/** Who talks with whom, and where. */
export interface ThreadsRequest extends Pick<ThreadsWorld, "model" | "permission" | "limits" | "cwd"> {
  runner: RunnerSpec;
}

/** Conversations that are held in this process, as a chat does. */
export interface Threads {
  /** Opens them; the first begins with `begin`. */
  open(request: ThreadsRequest, ports: OpenThreadsPorts): Promise<OpenThreads>;
  /** The session to go on with, by id, unique prefix or `@last` of the folder. Throws `session_in_use`. */
  findResumable(id: string, options: { cwd: string }): Promise<SessionRef>;
  /** Earlier prompts of a folder, oldest first, typed here or in the client. */
  earlierPrompts(options: { cwd: string; limit: number }): Promise<string[]>;
  /** Adds a prompt to them. */
  rememberPrompt(text: string, options: { cwd: string; sessionId: string }): Promise<void>;
}

/** What of the runtime conversations are held with. */
export type ThreadsPlace = Pick<ThreadsWorld, "sessions" | "tasks" | "agents" | "configDir" | "env">;

/** Each verb is loaded when it is used. */
export function openThreadsOf(place: ThreadsPlace): Threads {
  const { sessions } = place;
  return {
    async open({ runner: spec, ...request }, ports) {
      const { OpenThreads: Opened } = await import("../agents/threads/open-threads.ts");
      const { loadRunner } = await import("../agents/load-runner.ts");
      const world = { ...place, ...request, spec, runner: loadRunner(spec), userHome: os.homedir() };
      return new Opened(world, ports);
    },
    async findResumable(id, { cwd }) {
      return (await import("../agents/threads/find-resumable.ts")).findResumable(sessions, { id, cwd });
    },
    async earlierPrompts({ cwd, limit }) {
      const { earlierPrompts } = await import("../agents/threads/prompt-memory.ts");
      return earlierPrompts({ sessions, cwd }, { limit });
    },
    async rememberPrompt(text, { cwd, sessionId }) {
      (await import("../agents/threads/prompt-memory.ts")).rememberPrompt(text, { sessions, cwd, sessionId });
    },
  };
}
