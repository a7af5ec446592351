import path from "node:path";
import type { ClaimedRun } from "./handle-run.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { AgentHostPorts } from "../../agents/host/drive-runner.ts";
import { permissionAsker, type PermissionOptions } from "../../agents/host/ask-permission.ts";
import type { PermissionAnswer } from "../../tasks/ports.ts";

/** What an agent on a worker asks before it uses a tool, and the answers that come over the fleet. */
export interface RunQuestions {
  ask: AgentHostPorts["askPermission"];
  /** Ignores answers to questions of an earlier worker: they answer nothing here. */
  answer(requestId: string, answer: PermissionAnswer): void;
}

/**
 * Only a question that is open here is answered. Before a tool that was allowed runs, it is certain that the run is still
 * ours: what it does cannot be fenced.
 */
export function runQuestions(run: ClaimedRun, options: PermissionOptions): RunQuestions {
  const { files } = options;
  const ask = permissionAsker(options);
  let open: string | undefined;
  return {
    async ask(request, { signal, onNeeded }) {
      const answer = await ask(request, {
        signal,
        onNeeded(needed) {
          if (needed) ensurePrivateDir(path.dirname(files.base));
          open = needed?.requestId;
          onNeeded(needed);
        },
      });
      await run.confirm();
      return answer;
    },
    answer(requestId, answer) {
      if (requestId !== open) return;
      const file = { schemaVersion: 1, answer, by: "fleet", at: new Date().toISOString() };
      try {
        createFileAtomic(`${files.base}.answer.${requestId}`, `${JSON.stringify(file)}\n`);
      } catch {
        /* It was answered already. */
      }
    },
  };
}
