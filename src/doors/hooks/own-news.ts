import path from "node:path";
import { markTold } from "../../recovery/mark-told.ts";
import { tellBrief } from "../../recovery/tell-brief.ts";
import { recover } from "../../recovery/recover.ts";
import type { Recovery } from "../../recovery/recovery.ts";
import type { HookInput } from "./hook-input.ts";
import { clientProcess, projectDirOf, recoverOptions, type HookWorld } from "./hook-world.ts";
import type { HookAnswer } from "./run-hook.ts";

/** Endings of this session's own tasks of Holdfast, which no client would tell; each is told once. */
export async function ownNews(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const recovery = recover({
    ...recoverOptions(input, world),
    only: (launch) => launch.source === "holdfast" && launch.session_id === input.sessionId,
  });
  return tell(input, world, { ...recovery, running: [], duplicates: [] });
}

/**
 * Endings that no client will tell this session: of its own tasks of Holdfast, and of work whose client is gone, which may
 * have run when the session began. What another living session launched is left to it.
 */
export async function turnNews(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const recovery = recover({
    ...recoverOptions(input, world),
    only: (launch) => launch.session_id !== "",
  });
  return tell(input, world, { ...recovery, running: [], duplicates: [] });
}

/**
 * Tells what was found, in the words of the client. The client has the news once the text is out; that it has arrived is
 * seen in the transcript, and recorded, by the next hook that looks.
 */
export function tell(input: HookInput, world: HookWorld, recovery: Recovery): HookAnswer {
  const { sessionId, event } = input;
  const { home, clock } = world;
  const { arrived } = recovery;
  const teller = { home, clock, projectDir: projectDirOf(input, world), sessionId };
  const transcript = transcriptOf(input);
  const brief = tellBrief(recovery, { ...teller, transcript, listedBy: "holdfast recover" });
  if (!brief && arrived.length === 0) return {};
  return {
    ...(brief && {
      output: { hookSpecificOutput: { hookEventName: event, additionalContext: brief.text } },
    }),
    async afterwards(isOut) {
      if (isOut) await brief?.handOver(clientProcess(world));
      else brief?.withdraw();
      await markTold(arrived, teller);
    },
  };
}

// Claude Code names it after the session, and writes into it what its hooks said. Of other clients that is not known.
function transcriptOf({ transcriptPath, sessionId }: HookInput): string | undefined {
  const isKnown = path.isAbsolute(transcriptPath) && path.basename(transcriptPath) === `${sessionId}.jsonl`;
  return isKnown ? transcriptPath : undefined;
}
