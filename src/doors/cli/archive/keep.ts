import { terminalLine } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import { withProgressBar } from "../progress-bar.ts";
import { formatBytes, plural } from "../../../lib/quantities.ts";

/** Turns the guard on or off; while it is on, runs it once: at a start of a session, from a timer, or by hand. */
export async function keep(context: CommandContext, setting: "on" | "off" | undefined): Promise<void> {
  const { sessions } = await context.runtime();
  const result = await withProgressBar(context, "Copying sessions", (onProgress) =>
    sessions.keep({ turn: setting, onProgress }),
  );
  if (!result.isOn) {
    if (context.isJson) return context.writeJson({ keep: false, kept: [], postponed: [] });
    return context.say(
      setting === "off"
        ? "Keep is off. What is in the archive stays there."
        : "Keep is off: nothing is copied before the client deletes it. Turn it on: holdfast archive keep on",
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
