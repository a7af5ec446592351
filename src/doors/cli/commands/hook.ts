import { defineCommand, type Command } from "../command.ts";
import { usageError } from "../errors.ts";

/** Only explained here: bin/holdfast.js hands `holdfast hook` to a small program of its own, src/doors/hooks/hook-main.ts. */
export const command: Command = defineCommand({
  examples: [
    { line: "holdfast hook < event.json", text: "answers one hook event of Claude Code or Codex, as JSON" },
    { line: "holdfast hook --wake < stop.json", text: "exits with 2 when a task of the session has ended" },
    { line: "holdfast plugin install", text: "adds it to Claude Code's settings" },
  ],
  options: [{ flags: "--wake", text: "wait for a task of the session to end; for an asyncRewake hook" }],
  async run() {
    throw usageError("hook", "Cannot run the hook inside another command: run it as holdfast hook");
  },
});
