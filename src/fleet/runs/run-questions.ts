import path from "node:path";
import type { ClaimedRun } from "./handle-run.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { AgentHostPorts } from "../../agents/host/host-agent.ts";
import { permissionAsker, type PermissionOptions } from "../../agents/host/ask-permission.ts";
import type { PermissionAnswer } from "../../tasks/ports.ts";

/** What an agent on a worker asks before it uses a tool, and the answers that come over the fleet. */
export interface RunQuestions {
  ask: AgentHostPorts["askPermission"];
  /** Ignores answers to questions of an earlier worker: they answer nothing here. */
  answer(requestId: string, answer: PermissionAnswer): void;
}

/**
 * Questions carry the number of the claim, so that they are told from those of other workers. Before a tool that was allowed
 * runs, it is certain that the run is still ours: what it does cannot be fenced.
 */
export function runQuestions(run: ClaimedRun, options: PermissionOptions): RunQuestions {
  const { files } = options;
  const ask = permissionAsker(options);
  return {
    async ask(request, { signal, onNeeded }) {
      const answer = await ask(request, {
        signal,
        onNeeded(needed) {
          if (needed) ensurePrivateDir(path.dirname(files.base));
          onNeeded(needed && { ...needed, requestId: `${run.epoch}.${needed.requestId}` });
        },
      });
      await run.confirm();
      return answer;
    },
    answer(requestId, answer) {
      const [asked, number = ""] = requestId.split(".");
      if (Number(asked) !== run.epoch || !/^\d+$/.test(number)) return;
      const file = { schemaVersion: 1, answer, by: "fleet", at: new Date().toISOString() };
      try {
        createFileAtomic(`${files.base}.answer.${number}`, `${JSON.stringify(file)}\n`);
      } catch {
        /* It was answered already, or never asked. */
      }
    },
  };
}
