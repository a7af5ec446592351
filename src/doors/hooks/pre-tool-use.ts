import { modelLine } from "../../format/model-text.ts";
import { age, launcherOf, resultLines } from "../../recovery/item-lines.ts";
import { recover } from "../../recovery/recover.ts";
import { isSameWork } from "../../recovery/same-work.ts";
import { isDone } from "../../recovery/sort-out.ts";
import type { RecoveredItem } from "../../recovery/recovered-item.ts";
import { objectField, textField, type HookInput } from "./hook-input.ts";
import { recoverOptions, type HookWorld } from "./hook-world.ts";
import { readOwnSetting } from "./own-settings.ts";
import { workOf } from "./work-of.ts";
import type { HookAnswer, HookOutput } from "./run-hook.ts";

/** Says, or with a setting asks, when work is about to be done that runs already or has finished unread. */
export async function preToolUse(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const setting = readOwnSetting(world, ({ hooks }) => hooks?.duplicateLaunch);
  if (setting === "off") return {};
  const tool = objectField(input.fields, "tool_input");
  const isShell = input.fields["tool_name"] === "Bash";
  const wanted = workOf(input, {
    kind: isShell ? "local_bash" : "local_agent",
    text: textField(tool, isShell ? "command" : "prompt"),
  });
  const { running, finishedUnseen, leftToClient } = recover({
    ...recoverOptions(input, world),
    only: (launch) => isSameWork(launch, wanted),
  });
  // Who runs it again to wait for it wants its newest result.
  const unread = isForeground(input) ? [] : [...finishedUnseen, ...leftToClient].filter(isDone);
  const same = running[0] ?? unread[0];
  if (!same) return {};
  const text = warning(same, { now: world.clock.now(), sessionId: input.sessionId });
  const decision: Omit<HookOutput["hookSpecificOutput"], "hookEventName"> =
    setting === "ask"
      ? { permissionDecision: "ask", permissionDecisionReason: text }
      : { additionalContext: text };
  return { output: { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } } };
}

// An agent runs in the background unless it is asked not to; a command only if it is asked to.
function isForeground({ fields }: HookInput): boolean {
  const asked = objectField(fields, "tool_input")["run_in_background"];
  return fields["tool_name"] === "Bash" ? asked !== true : asked === false;
}

function warning(item: RecoveredItem, { now, sessionId }: { now: Date; sessionId: string }): string {
  const what = item.kind === "local_bash" ? "command" : "agent";
  const launched = `launched ${age(item.startedAt, now)} ago by ${launcherOf(item, sessionId)}`;
  const where = item.outputFile === undefined ? "" : ` Its output: ${modelLine(item.outputFile, 4096)}`;
  const name = `${modelLine(item.id, 100)} "${modelLine(item.description, 120)}"`;
  if (item.status === "running")
    return `Holdfast: the same work is running already: ${what} ${name}, ${launched}.${where}`;
  const result = item.result === undefined ? "" : ` It ended with:${resultLines(item.result)}`;
  return `Holdfast: the same work is done already and nobody has read its result yet: ${what} ${name}, ${launched}.${where}${result}`;
}
