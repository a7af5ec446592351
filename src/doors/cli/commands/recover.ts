import type { Recovery } from "../../../recovery/recovery.ts";
import { defineCommand, type Command } from "../command.ts";
import { realDir } from "../real-dir.ts";
import { recoveryLines } from "../recovery/recovery-lines.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast recover", text: "what runs here, what finished unseen, what was lost" },
    { line: "holdfast recover --all --json", text: "of every project, for programs" },
    { line: "holdfast recover --brief --session 1b3e…", text: "the text that this session would be given" },
  ],
  options: [
    {
      flags: "-C, --cwd <dir>",
      text: "the project; by default this folder",
      kind: "folder",
      conflicts: ["all"],
    },
    { flags: "-a, --all", text: "every project" },
    { flags: "--session <id>", text: "for this session: without what it has been told", kind: "session" },
    { flags: "--told", text: "also what the session was told before" },
    { flags: "--brief", text: "the text for an agent", conflicts: ["json"] },
  ],
  async run(context, { options }) {
    const { environment, output } = context;
    const runtime = await context.runtime();
    const { session: sessionId } = options;
    const cwd = options.all ? undefined : realDir(environment.cwd, options.cwd);
    const query = { cwd, sessionId, withSeen: options.told };
    let lines: string[] = [];
    if (options.brief) {
      const brief = await runtime.brief({ ...query, isPreview: true, listedBy: "holdfast recover" });
      if (brief) return output.write(`${brief.text}\n`);
    } else {
      const found = await runtime.recover(query);
      if (context.isJson) return context.writeJson(recoveryJson(found));
      lines = recoveryLines(found, { environment, isAll: options.all ?? false });
      await context.writeLines(lines);
    }
    if (lines.length === 0)
      context.say(
        options.all || options.brief
          ? "Nothing to recover."
          : "Nothing to recover here. Every project: holdfast recover --all",
      );
  },
});

function recoveryJson({
  running,
  finishedUnseen,
  lost,
  leftToClient,
  seen,
  duplicates,
}: Recovery): Record<string, unknown> {
  return { running, finishedUnseen, lost, leftToClient, seen, duplicates };
}
