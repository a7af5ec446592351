import { taskCheckMs } from "../../format/limits.ts";
import { wakeWaitMs } from "./limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { runsForSession } from "../../recovery/look-at-own.ts";
import { parseHookInput, type HookInput } from "./hook-input.ts";
import type { HookWorld } from "./hook-world.ts";
import { ownNews } from "./own-news.ts";

/**
 * Waits until a task of Holdfast that belongs to the session has ended, and gives the news with which the client wakes
 * the idle session. Undefined when the session has no such task, or none ends in time.
 */
export async function waitForNews(text: string, world: HookWorld): Promise<string | undefined> {
  const input = parseHookInput(text);
  if (!input) return undefined;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), wakeWaitMs);
  const dir = ensurePrivateDir(holdfastPaths(world.home).runningDir);
  const changes = watchChanges([dir], { checkMs: taskCheckMs, signal: controller.signal });
  try {
    do {
      const news = await takeNews(input, world);
      if (news !== undefined) return news;
      if (!runsForSession(world.home, input.sessionId)) return undefined;
    } while ((await changes.next()) !== "aborted");
    return undefined;
  } finally {
    clearTimeout(timer);
    changes.close();
  }
}

async function takeNews(input: HookInput, world: HookWorld): Promise<string | undefined> {
  const { output, afterwards } = await ownNews(input, world);
  await afterwards?.();
  return output?.hookSpecificOutput.additionalContext;
}
