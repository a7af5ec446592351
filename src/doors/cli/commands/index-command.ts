import { defineCommand, type Command } from "../command.ts";
import { withProgressBar } from "../progress-bar.ts";
import { formatBytes, formatCount, plural } from "../../../lib/quantities.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast index", text: "add what is new since the last time" },
    { line: "holdfast index --status", text: "what it holds, and what is missing" },
    { line: "holdfast index --rebuild", text: "delete it and start anew" },
  ],
  options: [
    { flags: "--rebuild", text: "start anew" },
    { flags: "--status", text: "change nothing; show what it holds", conflicts: ["rebuild"] },
  ],
  async run(context, { options }) {
    const { say } = context;
    const runtime = await context.runtime();
    let takenBytes = 0;
    if (!options.status) {
      const update = await withProgressBar(context, "Indexing", (onProgress) =>
        runtime.updateIndex({ isRebuild: options.rebuild, onProgress }),
      );
      takenBytes = update.bytes;
    }
    const state = await runtime.indexState();
    if (context.isJson) return context.writeJson({ ...state, takenBytes });
    say(
      `The index holds ${formatCount(state.documents)} entries of ${plural(state.files, "transcript")} in ${formatBytes(state.indexBytes)}.`,
    );
    if (takenBytes > 0) say(`Added now: ${formatBytes(takenBytes)}.`);
    if (state.missingBytes > 0)
      say(
        `Not in it yet: ${formatBytes(state.missingBytes)}; a search reads them from the files.${options.status ? " Add them: holdfast index" : ""}`,
      );
  },
});
