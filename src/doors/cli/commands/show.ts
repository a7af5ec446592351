import { codeOf } from "../../../lib/errors.ts";
import type { Entry } from "../../../format/entries/entry.ts";
import type { EntryFilter } from "../../../store/read/entry-filter.ts";
import type { Elsewhere } from "../../../store/read/elsewhere.ts";
import type { Conversation } from "../../../store/read/conversation.ts";
import type { SessionRef } from "../../../store/list/find-session.ts";
import type { SessionStore } from "../../../store/session-store.ts";
import type { Command, CommandContext } from "../command.ts";
import { lastOf } from "../last-of.ts";
import { parseCount, parseSince, parseUntil } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { sayFindings } from "../say-findings.ts";
import { findTranscript } from "../find-transcript.ts";
import { allOption, transcriptArgument } from "../session-argument.ts";

interface ShowOptions {
  all?: boolean;
  context?: boolean;
  limit?: number;
  type?: string;
  tools: boolean;
  system: boolean;
  role?: "user" | "assistant";
  since?: Date;
  until?: Date;
  ids?: boolean;
  leaf?: string;
  raw?: boolean;
  full?: boolean;
  internal?: boolean;
  pager: boolean;
}

export const command: Command<ShowOptions> = {
  arguments: [{ ...transcriptArgument, pick: "session" }],
  examples: [
    { line: "holdfast show @last", text: "the newest session, tool calls folded" },
    {
      line: "holdfast show 1b3e --full --limit 20",
      text: "its last 20 entries, with everything that tools did",
    },
    { line: "holdfast show 1b3e --context --json", text: "what a resume gives the model" },
  ],
  options: [
    allOption,
    { flags: "--context", text: "only from the newest compaction on: what a resume gives the model" },
    { flags: "-n, --limit <n>", text: "only the last n entries", parse: parseCount },
    { flags: "--type <type>", text: "only entries of this type: user, assistant, system, attachment, …" },
    { flags: "--role <role>", text: "only messages of this role", choices: ["user", "assistant"] },
    { flags: "--no-tools", text: "without tool calls and their results" },
    { flags: "--no-system", text: "without what the client inserted" },
    { flags: "--full", text: "unfold tool calls, results and thinking" },
    { flags: "--internal", text: "name what the client inserted: hooks, reminders, attachments" },
    { flags: "--no-pager", text: "print it all at once, also on a terminal" },
    { flags: "--since <when>", text: "only from this day, moment or age (2d, 3h) on", parse: parseSince },
    { flags: "--until <when>", text: "only up to this day, moment or age", parse: parseUntil },
    { flags: "--ids", text: "the short id of each message, for --leaf, fork --at and files --at" },
    {
      flags: "--leaf <uuid>",
      text: "the branch that ends at this message, by its id or a unique beginning",
      kind: "message",
    },
    {
      flags: "--raw",
      text: "the file, byte for byte; of a part of it, or on a terminal, every line that is an entry",
      conflicts: ["context", "leaf"],
    },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { sessions: store, agents } = await context.runtime();
    const named = await findTranscript(context, id, options).catch(async (error: unknown) => {
      // Of an agent that has no transcript any more, its answer may be known.
      const agent = codeOf(error) === "session_not_found" ? await agents.ofClient(id) : undefined;
      if (agent) return agent;
      throw error;
    });
    if ("hasConversation" in named)
      return (await import("../tasks/show-client-agent.ts")).showClientAgent(context, named, {});
    const { session, leaf = options.leaf } = named;
    if (options.raw) {
      const { showRaw } = await import("../show-raw.ts");
      return showRaw(context, {
        store,
        session,
        filter: filterOf(options),
        limit: options.limit,
        isFiltered: isFiltered(options),
      });
    }
    const conversation = await openConversation(context, { store, session, leaf, options });
    try {
      const entries = filteredEntries(conversation, options);
      let shown = 0;
      if (context.isJson) {
        await context.writeJson({
          sessionId: session.sessionId,
          entries,
          rejections: () => conversation.rejections,
          gaps: conversation.gaps,
          messagesElsewhere: elsewhereOf(conversation, options)?.branches ?? null,
          elsewhere: elsewhereOf(conversation, options) ?? null,
        });
      } else if (conversation.lines.length > 0)
        shown = await writeShown(context, { session, conversation, entries, options });
      const { lines, rejections } = conversation;
      if (lines.length === 0) {
        const { refuseNonTranscript } = await import("../../../conversation/refuse-non-transcript.ts");
        await refuseNonTranscript({ store, session, rejections });
      }
      if (context.isJson) return;
      if (shown === 0) context.say("Nothing to show.");
      const { gaps } = conversation;
      sayFindings(context, { rejections, gaps, elsewhere: elsewhereOf(conversation, options) });
    } finally {
      conversation.close();
    }
  },
};

interface Shown {
  session: SessionRef;
  conversation: Conversation;
  entries: AsyncIterable<Entry>;
  options: ShowOptions;
}

// Loaded here, because a shell that completes ids needs only what stands above.
async function writeShown(
  context: CommandContext,
  { session, conversation, entries, options }: Shown,
): Promise<number> {
  const [{ sessionHeader }, { writeConversation }] = await Promise.all([
    import("../conversation/session-header.ts"),
    import("../conversation/write-conversation.ts"),
  ]);
  const write = async (paged: CommandContext): Promise<number> => {
    await paged.writeLines(await sessionHeader(paged, { session, isCounted: isWhole(options) }));
    return writeConversation(paged, entries, {
      isFull: options.full,
      hasInternals: options.internal,
      hasIds: options.ids,
      retracted: conversation.retracted,
    });
  };
  if (!options.pager || !context.environment.stdout.isTerminal) return write(context);
  const { withPager } = await import("../conversation/pager.ts");
  let shown = 0;
  await withPager(context, async (paged) => {
    shown = await write(paged);
  });
  return shown;
}

interface OpenOptions {
  store: SessionStore;
  session: SessionRef;
  leaf: string | undefined;
  options: ShowOptions;
}

function openConversation(
  context: CommandContext,
  { store, session, leaf, options }: OpenOptions,
): Promise<Conversation> {
  const last = isFiltered(options) ? undefined : options.limit;
  const opening = store.conversation(session, {
    mode: options.context ? "context" : "full",
    last,
    leaf,
  });
  return withProgress(context, "Reading the session", opening);
}

// What it cost takes a look at everything: too long for who wants only its end.
function isWhole({ context, limit }: ShowOptions): boolean {
  return !context && limit === undefined;
}

function isFiltered(options: ShowOptions): boolean {
  return Object.values(filterOf(options)).some((condition) => condition !== undefined && condition !== false);
}

function filterOf({ type, role, tools, system, since, until }: ShowOptions): EntryFilter {
  return {
    types: type === undefined ? undefined : [type],
    roles: role === undefined ? undefined : [role],
    withoutTools: !tools,
    withoutSystem: !system,
    since,
    until,
  };
}

// The last so many of what passes the filter, which only reading can tell; without one the store counts.
function filteredEntries(conversation: Conversation, options: ShowOptions): AsyncIterable<Entry> {
  if (!isFiltered(options)) return lastOf(conversation.entries(), undefined);
  return lastOf(conversation.entries(filterOf(options)), options.limit);
}

// What was not asked for is not on another branch.
function elsewhereOf(conversation: Conversation, options: ShowOptions): Elsewhere | undefined {
  return isWhole(options) ? conversation.elsewhere : undefined;
}
