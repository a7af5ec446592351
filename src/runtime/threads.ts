import os from "node:os";
import type { OpenThreads, OpenThreadsPorts, ThreadsWorld } from "../agents/threads/open-threads.ts";
import type { FindFilesOptions } from "../agents/threads/find-files.ts";
import { once } from "../lib/once.ts";
import type { ConfigPlace } from "../store/config/read-config.ts";
import type { SessionRef } from "../store/index.ts";
import type { RunnerSpec } from "../tasks/kinds/agent/agent-settings.ts";

/** The agent, the permission and the folder of a chat. */
export interface ThreadsRequest extends Pick<
  ThreadsWorld,
  "model" | "permission" | "limits" | "type" | "cwd"
> {
  runner: RunnerSpec;
}

/** Conversations that are held in this process, as a chat does. */
export interface Threads {
  /** Opens them; the first begins with `begin`. */
  open(request: ThreadsRequest, ports: OpenThreadsPorts): Promise<OpenThreads>;
  /** The session to continue, by id, unique prefix or `@last` of the folder. Throws `session_in_use`. */
  findResumable(id: string, options: { cwd: string }): Promise<SessionRef>;
  /** Earlier prompts of a folder, oldest first, typed here or in the client. */
  earlierPrompts(options: { cwd: string; limit: number }): Promise<string[]>;
  /** Files below a folder whose paths contain the typed text, the best match first. */
  findFiles(typed: string, options: FindFilesOptions): Promise<string[]>;
  /** Adds a prompt to them. */
  rememberPrompt(text: string, options: { cwd: string; sessionId: string }): Promise<void>;
}

/** What of the runtime conversations are held with. */
export type ThreadsPlace = Pick<ThreadsWorld, "sessions" | "tasks" | "agents" | "configDir" | "env"> &
  ConfigPlace;

/** Each verb is loaded when it is used. */
export function openThreadsOf(place: ThreadsPlace): Threads {
  const { sessions } = place;
  // The list of prices is large, and the same for every query.
  const loadPrice = once(async () => {
    const [{ loadPrices }, { readPrices }] = await Promise.all([
      import("../usage/prices/price.ts"),
      import("../usage/prices/read-prices.ts"),
    ]);
    return loadPrices(readPrices(place));
  });
  return {
    async open({ runner: spec, ...request }, ports) {
      const { OpenThreads: Opened } = await import("../agents/threads/open-threads.ts");
      const { loadRunner } = await import("../agents/load-runner.ts");
      const { withAgentType } = await import("../agents/with-agent-type.ts");
      const { getAgentType } = await import("../agents/types/index.ts");
      const { type, model, cwd } = request;
      const { configDir } = place;
      const typed = type === undefined ? undefined : await getAgentType(type, { cwd, configDir });
      const runner = loadRunner(spec);
      const world = {
        ...place,
        ...request,
        spec,
        model: model ?? typed?.model,
        runner: type === undefined ? runner : withAgentType(runner, { type, configDir }),
        userHome: os.homedir(),
        loadPrice,
      };
      return new Opened(world, ports);
    },
    async findResumable(id, { cwd }) {
      return (await import("../agents/threads/find-resumable.ts")).findResumable(sessions, { id, cwd });
    },
    async earlierPrompts({ cwd, limit }) {
      const { earlierPrompts } = await import("../agents/threads/prompt-memory.ts");
      return earlierPrompts({ sessions, cwd }, { limit });
    },
    async findFiles(typed, options) {
      return (await import("../agents/threads/find-files.ts")).findFiles(typed, options);
    },
    async rememberPrompt(text, { cwd, sessionId }) {
      (await import("../agents/threads/prompt-memory.ts")).rememberPrompt(text, { sessions, cwd, sessionId });
    },
  };
}
