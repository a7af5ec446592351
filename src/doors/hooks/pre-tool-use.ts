import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { modelLine } from "../../format/model-text.ts";
import { unhanging } from "../../lib/read-json.ts";
import { codeOf } from "../../lib/errors.ts";
import { age, launcherOf, resultLines } from "../../recovery/brief.ts";
import { fingerprint } from "../../recovery/fingerprint.ts";
import { recover } from "../../recovery/recover.ts";
import type { RecoveredItem } from "../../recovery/recovered-item.ts";
import { objectField, textField, type HookInput } from "./hook-input.ts";
import { recoverOptions, type HookWorld } from "./hook-world.ts";
import { logFailure } from "./log-failure.ts";
import type { HookAnswer, HookOutput } from "./run-hook.ts";

/** Says, or with a setting asks, when work is about to be launched that runs already or has finished unread. */
export async function preToolUse(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const setting = duplicateSetting(world);
  if (setting === "off") return {};
  const tool = objectField(input.fields, "tool_input");
  const isShell = input.fields["tool_name"] === "Bash";
  const wanted = fingerprint({
    kind: isShell ? "local_bash" : "local_agent",
    text: textField(tool, isShell ? "command" : "prompt"),
    cwd: input.cwd,
  });
  const { running, finishedUnseen } = recover({
    ...recoverOptions(input, world),
    only: (launch) => launch.fingerprint === wanted,
  });
  const same = running[0] ?? finishedUnseen[0];
  if (!same) return {};
  const text = warning(same, { now: world.clock.now(), sessionId: input.sessionId });
  const decision: Omit<HookOutput["hookSpecificOutput"], "hookEventName"> =
    setting === "ask"
      ? { permissionDecision: "ask", permissionDecisionReason: text }
      : { additionalContext: text };
  return { output: { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } } };
}

function warning(item: RecoveredItem, { now, sessionId }: { now: Date; sessionId: string }): string {
  const what = item.kind === "local_bash" ? "command" : "agent";
  const launched = `launched ${age(item.startedAt, now)} ago by ${launcherOf(item, sessionId)}`;
  const where = item.outputFile === undefined ? "" : ` Its output: ${modelLine(item.outputFile, 4096)}`;
  const name = `${modelLine(item.id, 100)} "${modelLine(item.description, 120)}"`;
  if (item.status === "running")
    return `Holdfast: the same work is running already: ${what} ${name}, ${launched}.${where}`;
  const result = item.result === undefined ? "" : ` It ended with:${resultLines(item.result)}`;
  return `Holdfast: the same work has ended (${item.status}) and nobody has read its result yet: ${what} ${name}, ${launched}.${where}${result}`;
}

type DuplicateSetting = "warn" | "ask" | "off";

// `{"hooks": {"duplicateLaunch": "ask"}}` in the home's config.json. Read without readConfig(), which would make the hook
// larger: a client waits for it. What cannot be read is written down, and counts as not set.
function duplicateSetting({ home, clock }: HookWorld): DuplicateSetting {
  const file = holdfastPaths(home).configFile;
  try {
    const config = JSON.parse(fs.readFileSync(file, unhanging)) as { hooks?: { duplicateLaunch?: unknown } };
    const setting = config.hooks?.duplicateLaunch;
    return setting === "ask" || setting === "off" ? setting : "warn";
  } catch (error) {
    if (codeOf(error) !== "ENOENT")
      logFailure(home, `Cannot read settings "${file}": ${(error as Error).message}`, { now: clock.now() });
    return "warn";
  }
}
