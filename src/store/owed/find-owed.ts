import fs from "node:fs";
import path from "node:path";
import { uuidOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";
import type { SessionRef } from "../list/find-session.ts";
import { hashText, type LineTable } from "../line/line-table.ts";
import { scanTable } from "../line/scan-table.ts";
import { openConversation } from "../read/conversation.ts";
import { openTranscriptFile } from "../read/open-transcript.ts";
import { streamEntries } from "../read/stream-entries.ts";
import { OpenTools } from "./open-tools.ts";
import type { OwedAnswer } from "./owed-answer.ts";

/** How a session ends, for what comes behind it. */
export interface SessionEnd {
  session: SessionRef;
  /** Which entries it has. */
  table: LineTable;
  /** The tools that wait for a result there. */
  open: OpenTools;
}

/** Entries at the end of a session in which a tool can be that waits for its result: those of one message and its results. */
const LAST_ENTRIES = 200;

export async function readSessionEnd(session: SessionRef): Promise<SessionEnd> {
  return { session, table: await tableOf(session.path), open: await readOpenTools(session.path) };
}

/** The tools at the end of a session that wait for a result, which what is owed to it may bring. */
export async function readOpenTools(file: string): Promise<OpenTools> {
  const open = new OpenTools();
  const conversation = await openConversation(file, { last: LAST_ENTRIES });
  try {
    for (const entry of conversation.entries()) open.see(entry);
  } finally {
    conversation.close();
  }
  return open;
}

/** What a session lacks of one query, as it stands in the query's own transcript. From now on `end` is behind it. */
export async function findLacking(owed: OwedAnswer, end: SessionEnd): Promise<Entry[]> {
  const { session, table, open } = end;
  return (await entriesBehind(owed, session)).flatMap((entry) => {
    const uuid = uuidOf(entry);
    if (uuid === undefined || table.findByUuid(hashText(uuid)) !== undefined) return [];
    const wanted = open.withoutUnasked(entry);
    if (wanted) open.see(wanted);
    return wanted ?? [];
  });
}

async function tableOf(file: string): Promise<LineTable> {
  const fd = openTranscriptFile(file);
  try {
    return await scanTable(fd);
  } finally {
    fs.closeSync(fd);
  }
}

// Where that entry is not, the uuids alone say what the session has.
async function entriesBehind(owed: OwedAnswer, session: SessionRef): Promise<Entry[]> {
  const file = transcriptOf(owed, session);
  if (file === undefined) return [];
  let entries: Entry[] = [];
  for await (const line of streamEntries(file)) {
    if (line.kind !== "entry" || !messageTypes.has(line.entry.type)) continue;
    entries.push(line.entry);
    if (owed.after !== null && uuidOf(line.entry) === owed.after) entries = [];
  }
  return entries;
}

const messageTypes = new Set(["user", "assistant", "system", "attachment"]);

function transcriptOf(
  { agentId, transcript }: OwedAnswer,
  { path: file, sessionId }: SessionRef,
): string | undefined {
  const beside = path.join(path.dirname(file), sessionId, "subagents", `agent-${agentId}.jsonl`);
  return [beside, transcript].find((each) => fs.existsSync(each));
}
