import { isSessionPresent } from "../../store/write/session-presence.ts";
import { cutDepth } from "../../lib/json-text.ts";
import { readHeader } from "../../conversation/rows/conversation-header.ts";
import { digestRows, type RowMarks } from "../../conversation/rows/digest-rows.ts";
import { entryNamed, imagePart, textPart, type NamedEntry } from "../../conversation/rows/entry-parts.ts";
import { findRows } from "../../conversation/rows/find-rows.ts";
import type { RowsNow } from "../../conversation/rows/kept-transcripts.ts";
import { readEnd } from "../../conversation/rows/read-end.ts";
import { readChanges, watchRows } from "../../conversation/rows/watch-rows.ts";
import { readWindow } from "../../conversation/rows/read-window.ts";
import type { RowDigest } from "../../conversation/rows/row.ts";
import { sessionView } from "../views/session-view.ts";
import {
  rowsAsked,
  sessionAsked,
  transcriptAsked,
  type AsideWorld,
  type RunStreams,
  type RunVerbs,
} from "./world.ts";
import type { PartAsked, TranscriptAsked } from "./verbs.ts";

/** What is read of one conversation. */
export const conversationVerbs: RunVerbs<
  "header" | "rows" | "end" | "changes" | "digest" | "text" | "image" | "entry" | "toolUse"
> = {
  async header(world, asked) {
    const { runtime, kept } = world;
    const session = await sessionAsked(world, asked);
    const query = await rowsAsked(world, asked);
    const header = await kept.using(query, (now) => readHeader(query.session.path, now));
    const running = await runtime.tasks.list({
      isWanted: ({ record }) => record.sessionId === session.sessionId,
    });
    return {
      // Counted already, in rows.
      session: sessionView(await runtime.sessions.summary(session, { counts: false })),
      agentId: asked.agent ?? null,
      view: query.view,
      ...header,
      isOpen: isSessionPresent(runtime, session.sessionId),
      tasks: running.map(({ record }) => record.id),
    };
  },
  async rows(world, asked) {
    return world.kept.using(await rowsAsked(world, asked), (now) => readWindow(now, asked, asked.address));
  },
  async end(world, { limit = 50, address, ...asked }) {
    const { path: file, ...session } = await transcriptAsked(world, asked);
    const owed =
      asked.agent === undefined ? await world.runtime.sessions.owed({ path: file, ...session }) : [];
    return readEnd({ file, limit, owed, address });
  },
  async changes(world, { generation, total, address, ...asked }) {
    return readChanges(world.kept, await rowsAsked(world, asked), { generation, total, address });
  },
  async digest(world, asked) {
    return world.kept.using(await rowsAsked(world, asked), (now) => digestOf(now, world.signal));
  },
  async text(world, asked) {
    return inEntry(world, asked, (named) => textPart(named, asked.part));
  },
  async image(world, asked) {
    return inEntry(world, asked, (named) => imagePart(named, asked.part));
  },
  async entry(world, asked) {
    return inEntry(world, asked, (named) => cutDepth(entryNamed(named)) as object as Record<string, unknown>);
  },
  async toolUse(world, { toolUseId, ...asked }) {
    return world.kept.using(await rowsAsked(world, asked), ({ rows }) => {
      const uuid = rows.uuidOfCall(toolUseId);
      return uuid === undefined ? null : { uuid };
    });
  },
};

export const conversationStreams: RunStreams = {
  async *find(world, asked) {
    const query = await rowsAsked(world, asked);
    const held = await world.kept.hold(query);
    try {
      yield* findRows(held.rows, asked, world.signal);
    } finally {
      held.release();
    }
  },
  async *watch(world, { generation, total, address, ...asked }) {
    const query = await rowsAsked(world, asked);
    yield* watchRows(world.kept, query, { generation, total, address, signal: world.signal });
  },
  async *export(world, { format, leaf, withSecrets = false, ...asked }) {
    const session = await sessionAsked(world, asked);
    yield* world.runtime.export(session, { format, leaf, redact: !withSecrets });
  },
};

// Of rows that grew, only what is new is looked at.
const known = new Map<string, RowMarks>();
const KNOWN_MAX = 16;

async function digestOf({ rows, generation }: RowsNow, signal: AbortSignal): Promise<RowDigest> {
  const marks = await digestRows(rows, { before: known.get(generation), signal });
  known.delete(generation);
  known.set(generation, marks);
  for (const oldest of known.keys()) if (known.size > KNOWN_MAX) known.delete(oldest);
  const inOrder = (numbers: ReadonlySet<number>): number[] => [...numbers].sort((a, b) => a - b);
  return {
    generation,
    total: rows.total,
    prompts: inOrder(marks.prompts),
    failures: inOrder(marks.failures),
    compactions: inOrder(marks.compactions),
    agents: inOrder(marks.agents),
  };
}

async function inEntry<Result>(
  world: AsideWorld,
  asked: TranscriptAsked & Pick<PartAsked, "entry">,
  use: (named: NamedEntry) => Result,
): Promise<Result> {
  const query = await rowsAsked(world, asked);
  return world.kept.using(query, ({ rows }) => use({ rows, file: query.session.path, name: asked.entry }));
}
