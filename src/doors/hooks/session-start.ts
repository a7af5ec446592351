import fs from "node:fs";
import { keepIntervalMs } from "./limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { survey } from "../../recovery/survey.ts";
import { textField, type HookInput } from "./hook-input.ts";
import { recoverOptions, type HookWorld } from "./hook-world.ts";
import { tell } from "./own-news.ts";
import { readOwnSetting } from "./own-settings.ts";
import { recordEndings } from "./record-endings.ts";
import type { HookAnswer } from "./run-hook.ts";

/** The brief: what runs, what finished unseen, what was lost; after a compaction also what the session knew before. */
export async function sessionStart(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  noteRun(world);
  recordEndings(world);
  if (isKeepDue(world)) (await import("./run-keep.ts")).runKeep(input, world);
  const recovery = survey({
    ...recoverOptions(input, world),
    withSeen: textField(input.fields, "source") === "compact",
  });
  return tell(input, world, recovery);
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = fs.constants;

// So that `doctor` can tell hooks that are called from those that are only written down. Nothing else depends on it.
function noteRun({ home }: HookWorld): void {
  try {
    const { hookRunFile } = holdfastPaths(ensurePrivateDir(home));
    fs.closeSync(fs.openSync(hookRunFile, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600));
  } catch {
    /* A home that cannot be written is told of by what needs it. */
  }
}

function isKeepDue(world: HookWorld): boolean {
  if (readOwnSetting(world, ({ keep }) => keep) !== true) return false;
  const ranAt = fs.statSync(holdfastPaths(world.home).keepRunFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return world.clock.now().getTime() - ranAt >= keepIntervalMs;
}
