import fs from "node:fs";
import { configPaths } from "../../format/paths.ts";
import type { Clock } from "../../lib/clock.ts";
import { openLargeOutput } from "../../store/companions/large-outputs.ts";
import { writeLegacyTodos } from "../../store/companions/legacy-todos.ts";
import type { AgentHostPorts } from "./drive-runner.ts";

/** Whose companions they are: of a session itself, or of an agent of it. */
export interface CompanionsOwner {
  sessionId: string;
  agentId?: string | undefined;
}

/** What an agent leaves beside its transcript, where the client leaves it. `owner` is asked each time, because a main session moves. */
export function sessionCompanions(
  { configDir, clock }: { configDir: string; clock: Clock },
  owner: () => CompanionsOwner,
): Required<Pick<AgentHostPorts, "keepTodos" | "keepOutput">> {
  return {
    keepTodos(todos) {
      const { sessionId, agentId = sessionId } = owner();
      const items = todos.map(({ content, ...todo }) => ({ subject: content, ...todo }));
      try {
        writeLegacyTodos({ configDir, sessionId, agentId }, items);
      } catch {
        // The transcript has the list, too, and is read where there is no file; an old one would be believed.
        fs.rmSync(configPaths(configDir).todosPath({ sessionId, agentId }), { force: true });
      }
    },
    keepOutput: (tool) => openLargeOutput({ configDir, sessionId: owner().sessionId, tool, clock }),
  };
}
