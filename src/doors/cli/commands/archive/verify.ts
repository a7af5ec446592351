import type { Command } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { formatBytes, plural } from "../../../../lib/quantities.ts";
import { terminalLine } from "../../../../lib/terminal-text.ts";
import { withProgressBar } from "../../progress-bar.ts";

export const command: Command = {
  examples: [
    {
      line: "holdfast archive verify",
      text: "reads all of it and compares checksums; exit code 1 if any is wrong",
    },
    { line: "holdfast archive verify --json", text: "for programs" },
  ],
  async run(context) {
    const { sessions: store } = await context.runtime();
    const verified = await withProgressBar(context, "Reading the archive", (onProgress) =>
      store.verifyArchive({ onProgress }),
    );
    const { sessions, files, bytes, problems } = verified;
    if (context.isJson) await context.writeJson(verified);
    else {
      await context.writeLines(
        problems.map(({ path, sessionId, text }) => terminalLine(`✗ ${sessionId ?? path}: ${text}`)),
      );
      const what = `${plural(sessions, "session")}, ${plural(files, "file")}, ${formatBytes(bytes)}`;
      context.say(
        problems.length === 0
          ? `${what}: everything is as it was archived.`
          : `${what}: ${plural(problems.length, "problem")}. Nothing was changed; restore the files named above from a backup.`,
      );
    }
    return problems.length === 0 ? exitCodes.ok : exitCodes.failed;
  },
};
