import path from "node:path";
import type { ExportFacts } from "../../../conversation/export/export-session.ts";
import { formatBytes, plural } from "../../../lib/quantities.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { createNewFile } from "../export/new-file.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { displayPath } from "../render/display-path.ts";
import { sayFindings } from "../say-findings.ts";
import { findTranscript } from "../find-transcript.ts";
import { allOption, transcriptArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [{ ...transcriptArgument, pick: "session" }],
  examples: [
    { line: "holdfast export @last --format html -o talk.html", text: "one page that needs nothing else" },
    { line: "holdfast export 1b3e --format json | jq .entries", text: "every entry, in conversation order" },
    {
      line: "holdfast export 1b3e --format anthropic -o talk.json",
      text: "messages for a program of yours; holdfast import reads them back",
    },
  ],
  options: [
    allOption,
    {
      flags: "-f, --format <format>",
      text: "md by default",
      choices: ["md", "html", "json", "anthropic", "ai-sdk"],
    },
    {
      flags: "-o, --output <file>",
      text: "write this file, readable only by you, instead of standard output",
      kind: "file",
    },
    { flags: "--force", text: "replace the file if it exists" },
    { flags: "--agents", text: "with json: include its sub-agents; md and html do, as folded sections" },
    { flags: "--no-agents", text: "leave its sub-agents out" },
    { flags: "--no-redact", text: "keep what looks like a secret" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const runtime = await context.runtime();
    const { session, leaf } = await findTranscript(context, id, options);
    // To standard output, JSON for programs is the export itself.
    const format = options.format ?? (context.isJson && options.output === undefined ? "json" : "md");
    let facts: ExportFacts = { redacted: 0, rejections: [], gaps: [] };
    const pieces = runtime.export(session, {
      format,
      redact: options.redact,
      agents: options.agents,
      leaf,
      onDone: (found) => (facts = found),
    });
    const written = await writeExport(context, pieces, options);
    const { redacted } = facts;
    const shownBy = `holdfast show ${session.sessionId.slice(0, 8)}`;
    if (!context.isJson) sayFindings(context, { ...facts, shownBy });
    if (redacted > 0) context.say(`Redacted ${plural(redacted, "secret")}; --no-redact keeps them.`);
    if (!written) return;
    if (context.isJson)
      return context.writeJson({ sessionId: session.sessionId, format, ...written, redacted });
    context.say(
      `Wrote ${displayPath(written.path, context.environment.userHome)} (${formatBytes(written.bytes)}).`,
    );
  },
});

async function writeExport(
  context: CommandContext,
  pieces: AsyncGenerator<string>,
  options: { output?: string; force?: boolean },
): Promise<{ path: string; bytes: number } | undefined> {
  const { output, environment } = context;
  const first = await withProgress(context, "Reading the session", pieces.next());
  const writeAll = async (to: Output): Promise<void> => {
    if (!first.done) await to.write(first.value);
    for await (const piece of pieces) await to.write(piece);
    await to.flush();
  };
  if (options.output === undefined) {
    await writeAll(output);
    return undefined;
  }
  const target = path.resolve(environment.cwd, options.output);
  const file = createNewFile(target, { isReplacing: options.force === true });
  try {
    await withProgress(context, "Exporting", writeAll(file));
    file.finish();
  } finally {
    file.discard();
  }
  return { path: target, bytes: file.bytes };
}
