import { taskCheckMs } from "../../format/limits.ts";
import { wakeWaitMs } from "./limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { livenessOf } from "../../lib/process-identity.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { canStillWake } from "./can-still-wake.ts";
import { runsForSession } from "../../recovery/look-at-own.ts";
import { parseHookInput } from "./hook-input.ts";
import { clientProcess, type HookWorld } from "./hook-world.ts";
import { ownNews } from "./own-news.ts";

/** What the client is woken with, and what is to be recorded once that is out. */
export interface WakingNews {
  text: string;
  afterwards: (isOut: boolean) => Promise<void>;
}

/**
 * Waits until a task of Holdfast that belongs to the session has ended, and gives the news with which the client wakes
 * the idle session. Undefined when the session has no such task, when none ends in time, or when the client is gone or is
 * only waiting for this hook before it goes: then the news is for somebody else.
 */
export async function waitForNews(text: string, world: HookWorld): Promise<WakingNews | undefined> {
  const input = parseHookInput(text);
  if (!input) return undefined;
  const client = clientProcess(world);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), wakeWaitMs);
  const dir = ensurePrivateDir(holdfastPaths(world.home).runningDir);
  const changes = watchChanges([dir], { checkMs: taskCheckMs, signal: controller.signal });
  try {
    do {
      if (livenessOf(client) === "dead" || !canStillWake(client.pid)) return undefined;
      // Asked before: what ends in between is found by the look for news, or by the next one.
      const isWorthWaiting = runsForSession(world.home, input.sessionId);
      const { output, afterwards = async () => {} } = await ownNews(input, world);
      const news = output?.hookSpecificOutput.additionalContext;
      if (news !== undefined) return { text: news, afterwards };
      await afterwards(false);
      if (!isWorthWaiting) return undefined;
    } while ((await changes.next()) !== "aborted");
    return undefined;
  } finally {
    clearTimeout(timer);
    changes.close();
  }
}
