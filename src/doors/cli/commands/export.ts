import path from "node:path";
import type { Conversation } from "../../../store/read/conversation.ts";
import type { SessionSummary } from "../../../store/list/list-sessions.ts";
import type { Command, CommandContext } from "../command.ts";
import type { ExportSource } from "../../../conversation/export/export-source.ts";
import { createNewFile } from "../export/new-file.ts";
import type { Redaction } from "../../../conversation/export/redact-secrets.ts";
import { writeJsonObject } from "../json-output.ts";
import { lastOf } from "../last-of.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { displayPath } from "../render/display-path.ts";
import { formatBytes, plural } from "../../../lib/quantities.ts";
import { refuseNonTranscript } from "../refuse-non-transcript.ts";
import { sayFindings } from "../say-findings.ts";
import { sessionArgument } from "../session-argument.ts";

type Format = "md" | "html" | "json";

interface ExportOptions {
  format?: Format;
  output?: string;
  force?: boolean;
  redact: boolean;
}

export const command: Command<ExportOptions> = {
  arguments: [sessionArgument],
  examples: [
    { line: "holdfast export @last --format html -o talk.html", text: "one page that needs nothing else" },
    { line: "holdfast export 1b3e --format md", text: "Markdown on standard output" },
    { line: "holdfast export 1b3e --format json | jq .entries", text: "every entry, in conversation order" },
  ],
  options: [
    { flags: "-f, --format <format>", text: "md when not said", choices: ["md", "html", "json"] },
    {
      flags: "-o, --output <file>",
      text: "write this file, readable only by you, instead of standard output",
      kind: "file",
    },
    { flags: "--force", text: "replace the file if it exists" },
    { flags: "--no-redact", text: "keep what looks like a secret" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { sessions: store } = await context.runtime();
    const session = await store.find(id);
    const summary = await store.summary(session);
    const conversation = await withProgress(context, "Reading the session", store.conversation(session));
    const redaction: Redaction = { count: 0 };
    try {
      const { lines, rejections } = conversation;
      if (lines.length === 0) await refuseNonTranscript({ store, session, rejections });
      const source = await sourceOf({ summary, conversation }, options.redact ? redaction : undefined);
      // To standard output, JSON for programs is the export itself.
      const format = options.format ?? (context.isJson && options.output === undefined ? "json" : "md");
      const written = await writeExport(context, { source, format, options });
      if (!context.isJson) sayFindings(context, { rejections, gaps: conversation.gaps });
      if (redaction.count > 0)
        context.say(`Redacted ${plural(redaction.count, "secret")}; --no-redact keeps them.`);
      if (!written) return;
      if (context.isJson) {
        return await context.writeJson({
          sessionId: session.sessionId,
          format,
          ...written,
          redacted: redaction.count,
        });
      }
      context.say(
        `Wrote ${displayPath(written.path, context.environment.userHome)} (${formatBytes(written.bytes)}).`,
      );
    } finally {
      conversation.close();
    }
  },
};

// The title is text of the session too: a secret in the first prompt must not stand above the page.
async function sourceOf(
  { summary, conversation }: { summary: SessionSummary; conversation: Conversation },
  redaction: Redaction | undefined,
): Promise<ExportSource> {
  const source: ExportSource = {
    summary,
    entries: lastOf(conversation.entries(), undefined),
    rejections: () => conversation.rejections,
    gaps: conversation.gaps,
  };
  if (!redaction) return source;
  const { redactSecrets, redactTexts } = await import("../../../conversation/export/redact-secrets.ts");
  const [redacted = summary] = await redactTexts([summary], { count: 0 });
  return { ...source, summary: redacted, entries: redactSecrets(conversation.entries(), redaction) };
}

interface WriteOptions {
  source: ExportSource;
  format: Format;
  options: ExportOptions;
}

async function writeExport(
  context: CommandContext,
  { source, format, options }: WriteOptions,
): Promise<{ path: string; bytes: number } | undefined> {
  if (options.output === undefined) {
    await writeFormat(context.output, source, format);
    await context.output.flush();
    return undefined;
  }
  const file = createNewFile(path.resolve(context.environment.cwd, options.output), {
    isReplacing: options.force === true,
  });
  try {
    await withProgress(context, "Exporting", writeFormat(file, source, format));
    file.finish();
  } finally {
    file.discard();
  }
  return { path: path.resolve(context.environment.cwd, options.output), bytes: file.bytes };
}

async function writeFormat(output: Output, source: ExportSource, format: Format): Promise<void> {
  if (format === "json") {
    const { summary, entries, rejections, gaps } = source;
    return writeJsonObject(output, {
      sessionId: summary.sessionId,
      title: summary.title ?? null,
      entries,
      rejections,
      gaps,
    });
  }
  const pieces =
    format === "md"
      ? (await import("../../../conversation/export/markdown.ts")).exportMarkdown(source)
      : (await import("../../../conversation/export/html.ts")).exportHtml(source);
  for await (const piece of pieces) await output.write(piece);
}
