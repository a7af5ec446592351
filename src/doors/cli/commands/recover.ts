import type { LaunchesQuery } from "../../../index.ts";
import type { Recovery } from "../../../recovery/recovery.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { parseSince } from "../option-values.ts";
import { realDir } from "../real-dir.ts";
import { launchLines } from "../recovery/launch-lines.ts";
import { recoveryLines } from "../recovery/recovery-lines.ts";

const OF_A_SESSION = ["session", "told", "brief"];

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast recover --today --all", text: "everything that was launched today, by any client" },
    { line: "holdfast recover", text: "what runs here, what finished unseen, what was lost" },
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
    {
      flags: "--today",
      text: "every launch since midnight, whoever was told of it, with its machine and the beginning of its prompt",
      conflicts: ["since", ...OF_A_SESSION],
    },
    {
      flags: "--since <when>",
      text: "the same from this day, moment or age (2d, 3h) on",
      parse: parseSince,
      conflicts: [...OF_A_SESSION],
    },
  ],
  async run(context, { options }) {
    const { environment, output } = context;
    const runtime = await context.runtime();
    const { session: sessionId } = options;
    const cwd = options.all ? undefined : realDir(environment.cwd, options.cwd);
    const since = options.today ? midnight() : options.since;
    if (since) return writeLaunches(context, { cwd, since });
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

async function writeLaunches(context: CommandContext, query: LaunchesQuery): Promise<void> {
  const launches = await (await context.runtime()).launches(query);
  const since = query.since.toISOString();
  if (context.isJson) return context.writeJson({ since, launches });
  const isAll = query.cwd === undefined;
  await context.writeLines(launchLines(launches, { environment: context.environment, isAll }));
  if (launches.length === 0)
    context.say(
      isAll ? "Nothing was launched since then." : "Nothing was launched here since then. Everywhere: --all",
    );
}

function midnight(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

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
