import type { Entry } from "../../format/entries/entry.ts";
import { jsonPieces } from "../../lib/json-pieces.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { refuseNonTranscript } from "../refuse-non-transcript.ts";
import type { ExportSource } from "./export-source.ts";
import { redactSecrets, redactTexts, type Redaction } from "./redact-secrets.ts";

export type ExportFormat = "md" | "html" | "json";

export interface ExportOptions {
  /** By default Markdown. */
  format?: ExportFormat | undefined;
  /** False keeps what looks like a secret. */
  redact?: boolean | undefined;
  /** Told when everything was yielded. */
  onDone?: ((facts: ExportFacts) => void) | undefined;
}

export interface ExportFacts {
  /** Secrets that were taken out. */
  redacted: number;
  /** Lines that are no entries, and are left out. */
  rejections: readonly Rejection[];
  gaps: readonly ConversationGap[];
}

/** A whole conversation as text, piece by piece, without secrets. Throws `not_a_transcript`. */
export async function* exportSession(
  store: SessionStore,
  session: SessionRef,
  { format = "md", redact = true, onDone }: ExportOptions = {},
): AsyncGenerator<string, void> {
  const summary = await store.summary(session);
  const conversation = await store.conversation(session);
  try {
    const { lines, rejections, gaps } = conversation;
    if (lines.length === 0) await refuseNonTranscript({ store, session, rejections });
    const redaction: Redaction = { count: 0 };
    const entries = conversation.entries();
    // The title is text of the session too: a secret in the first prompt must not stand above the page.
    const [shown = summary] = redact ? await redactTexts([summary], { count: 0 }) : [];
    const source: ExportSource = {
      summary: shown,
      entries: redact ? redactSecrets(entries, redaction) : each(entries),
      rejections: () => rejections,
      gaps,
    };
    yield* await formatted(source, format);
    onDone?.({ redacted: redaction.count, rejections, gaps });
  } finally {
    conversation.close();
  }
}

async function* each(entries: Iterable<Entry>): AsyncGenerator<Entry> {
  yield* entries;
}

async function formatted(source: ExportSource, format: ExportFormat): Promise<AsyncGenerator<string>> {
  switch (format) {
    case "md":
      return (await import("./markdown.ts")).exportMarkdown(source);
    case "html":
      return (await import("./html.ts")).exportHtml(source);
    case "json": {
      const { summary, entries, rejections, gaps } = source;
      const { sessionId, title = null } = summary;
      return jsonPieces({ sessionId, title, entries, rejections, gaps });
    }
  }
}
