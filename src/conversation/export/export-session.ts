import type { Entry } from "../../format/entries/entry.ts";
import { jsonPieces } from "../../lib/json-pieces.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { Elsewhere } from "../../store/read/elsewhere.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { refuseNonTranscript } from "../refuse-non-transcript.ts";
import type { ExportAgent, ExportSource } from "./export-source.ts";
import { redactSecrets, redactTexts, type Redaction } from "./redact-secrets.ts";

/** `anthropic` and `ai-sdk`: a JSON list of messages as the Anthropic API and the AI SDK take them. */
export type ExportFormat = "md" | "html" | "json" | "anthropic" | "ai-sdk";

/** Those in which the sub-agents have a place. */
const formatsWithAgents = new Set<ExportFormat>(["md", "html"]);

export interface ExportOptions {
  /** By default Markdown. */
  format?: ExportFormat | undefined;
  /** False keeps what looks like a secret. */
  redact?: boolean | undefined;
  /** Whether its sub-agents go along; by default they do in Markdown and HTML. A list of messages has no place for them. */
  agents?: boolean | undefined;
  /** The message to end at, as a conversation takes it. */
  leaf?: string | undefined;
  /** Told when everything was yielded. */
  onDone?: ((facts: ExportFacts) => void) | undefined;
}

export interface ExportFacts {
  /** Secrets that were taken out. */
  redacted: number;
  /** Lines that are no entries, and are left out. */
  rejections: readonly Rejection[];
  gaps: readonly ConversationGap[];
  /** What of the file is not in the export. */
  elsewhere?: Elsewhere | undefined;
}

/** A whole conversation as text, piece by piece, without secrets. Throws `not_a_transcript`. */
export async function* exportSession(
  store: SessionStore,
  session: SessionRef,
  { format = "md", redact = true, agents = formatsWithAgents.has(format), leaf, onDone }: ExportOptions = {},
): AsyncGenerator<string, void> {
  const summary = await store.summary(session);
  const conversation = await store.conversation(session, { leaf });
  try {
    const { lines, rejections, gaps } = conversation;
    if (lines.length === 0) await refuseNonTranscript({ store, session, rejections });
    const redaction: Redaction = { count: 0 };
    const entries = conversation.entries();
    // The title is text of the session too: a secret in the first prompt must not stand above the page.
    const [shown = summary] = redact ? await redactTexts([summary], { count: 0 }) : [];
    const cleaned = (some: Iterable<Entry>): AsyncIterable<Entry> =>
      redact ? redactSecrets(some, redaction) : each(some);
    const inAgents: Elsewhere[] = [];
    const elsewhere = (): Elsewhere | undefined =>
      conversation.elsewhere && inAgents.reduce(withAgent, conversation.elsewhere);
    const source: ExportSource = {
      summary: shown,
      entries: cleaned(entries),
      agents: agents ? await readAgents(store, { session, redact, cleaned, inAgents }) : [],
      rejections: () => rejections,
      gaps,
      retracted: conversation.retracted,
      elsewhere,
    };
    yield* await formatted(source, format);
    onDone?.({ redacted: redaction.count, rejections, gaps, elsewhere: elsewhere() });
  } finally {
    conversation.close();
  }
}

// What is not shown of a sub-agent is not shown of the session.
function withAgent(session: Elsewhere, agent: Elsewhere): Elsewhere {
  return {
    ...session,
    branches: session.branches + agent.branches,
    agents: session.agents + agent.agents,
    repeated: session.repeated + agent.repeated,
    rejected: session.rejected + agent.rejected,
  };
}

interface AgentsOptions {
  /** Gets what is not shown of each that was read. */
  inAgents: Elsewhere[];
  session: SessionRef;
  redact: boolean;
  cleaned: (entries: Iterable<Entry>) => AsyncIterable<Entry>;
}

// Those that work was given to, and whose transcripts are there. What is exported may be the transcript of one itself.
async function readAgents(
  store: SessionStore,
  { session, redact, cleaned, inAgents }: AgentsOptions,
): Promise<ExportAgent[]> {
  const named = (await store.agents(session)).flatMap(({ agentId, agentType, description, path, internal }) =>
    path === undefined || internal || path === session.path
      ? []
      : [{ agentId, agentType, description, path }],
  );
  const shown = redact ? await redactTexts(named, { count: 0 }) : named;
  return shown.map(({ agentId, agentType, description }, at) => ({
    agentId,
    agentType,
    description,
    async *entries() {
      const conversation = await store.conversation({ ...session, path: named[at]!.path });
      try {
        yield* cleaned(conversation.entries());
        if (conversation.elsewhere) inAgents.push(conversation.elsewhere);
      } finally {
        conversation.close();
      }
    },
  }));
}

async function* each(entries: Iterable<Entry>): AsyncGenerator<Entry> {
  yield* entries;
}

async function formatted(source: ExportSource, format: ExportFormat): Promise<AsyncGenerator<string>> {
  switch (format) {
    case "md":
      return (await import("./markdown.ts")).exportMarkdown(source);
    case "anthropic":
    case "ai-sdk":
      return (await import("./messages.ts")).exportMessages(source, format);
    case "html":
      return (await import("./html.ts")).exportHtml(source);
    case "json": {
      const { summary, entries, agents, rejections, gaps, elsewhere } = source;
      const { sessionId, title = null } = summary;
      const more = agents.length > 0 ? { agents: agentObjects(agents) } : {};
      return jsonPieces({ sessionId, title, entries, rejections, gaps, ...more, elsewhere });
    }
  }
}

async function* agentObjects(agents: readonly ExportAgent[]): AsyncGenerator<object> {
  for (const { agentId, agentType = null, description = null, entries } of agents) {
    const said: Entry[] = [];
    for await (const entry of entries()) said.push(entry);
    yield { agentId, agentType, description, entries: said };
  }
}
