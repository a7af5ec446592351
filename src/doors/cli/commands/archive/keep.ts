import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { Command, CommandContext } from "../../command.ts";
import { withProgressBar } from "../../progress-bar.ts";
import { formatBytes, plural } from "../../../../lib/quantities.ts";

export const command: Command = {
  arguments: [
    {
      name: "setting",
      text: "turn it on or off; without a value, copy once",
      kind: "text",
      choices: ["on", "off"],
      isOptional: true,
    },
  ],
  examples: [
    { line: "holdfast archive keep on", text: "copy sessions before the client deletes them, from now on" },
    { line: "holdfast archive keep", text: "copy once: by hand, or from a timer" },
  ],
  run: (context, { arguments: [setting] }) => keep(context, setting as "on" | "off" | undefined),
};

/** Turns the guard on or off; while it is on, runs it once: at a start of a session, from a timer, or by hand. */
async function keep(context: CommandContext, setting: "on" | "off" | undefined): Promise<void> {
  const { sessions } = await context.runtime();
  const result = await withProgressBar(context, "Copying sessions", (onProgress) =>
    sessions.keep({ turn: setting, onProgress }),
  );
  if (!result.isOn) {
    if (context.isJson) return context.writeJson({ keep: false, kept: [], postponed: [] });
    return context.say(
      setting === "off"
        ? "Keep is off. The archive stays."
        : "Keep is off: sessions are not copied before the client deletes them. Turn it on: holdfast archive keep on",
    );
  }
  const { periodDays, kept, postponed } = result;
  if (context.isJson) return context.writeJson({ keep: true, periodDays, kept, postponed });
  const stored = formatBytes(kept.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
  context.say(
    kept.length === 0
      ? `Keep is on. Nothing to copy now: the client deletes sessions after ${plural(periodDays, "day")}.`
      : `Keep is on. Copied ${plural(kept.length, "session")} (${stored}) that the client would soon delete.`,
  );
  for (const { reason } of postponed) context.say(`holdfast: ${terminalLine(reason)}`);
  if (postponed.length > 0)
    context.say(`${plural(postponed.length, "session")} not copied; the next run tries again.`);
}
