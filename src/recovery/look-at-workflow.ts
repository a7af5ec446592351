import path from "node:path";
import type { LookContext } from "./look-context.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { transcriptTailBytesMax } from "./limits.ts";
import { readOutputEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

/**
 * A workflow runs inside of its client and ends with it. What its agents had finished by then is in its folder, which stands
 * in the launch as the transcript.
 */
export function lookAtWorkflow(
  { client, transcript: dir = "" }: LaunchLine,
  { isClientAlive }: Pick<LookContext, "isClientAlive">,
): Look {
  if (client !== undefined && isClientAlive(client))
    return { status: "running", knownBy: [`client pid ${client.pid}`] };
  const journal = readOutputEnd(path.join(dir, "journal.jsonl"), transcriptTailBytesMax)?.text ?? "";
  const agents = journal.match(/^\{"type":"started",/gm) ?? [];
  const finished = journal.match(/^\{"type":"result",/gm) ?? [];
  const done =
    agents.length === 0
      ? ""
      : `; ${finished.length} of the ${agents.length} agents that it had begun have finished`;
  return {
    status: "lost",
    detail: `it ended when the client that ran it was gone${done}; run ${path.basename(dir)} can be resumed with its script`,
    knownBy: ["processes", ...(agents.length === 0 ? [] : ["workflow journal"])],
  };
}
