import type { Entry } from "../../format/entries/entry.ts";
import { uuidOf } from "../../format/entry-kinds.ts";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../format/json-object.ts";
import { configPaths, isSafeName } from "../../format/paths.ts";
import { writeFully } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import { syncDir } from "../../lib/private-dir.ts";
import { tempName } from "../../lib/temp-name.ts";
import { readOwedEntries } from "../owed/join-owed.ts";
import { openConversation } from "../read/conversation.ts";
import type { SessionRef } from "../list/find-session.ts";
import type { Rejection } from "../line/rejection.ts";
import type { LineRef } from "../line/read-line.ts";
import { listAgents } from "../list/session-agents.ts";
import type { StoreContext } from "../write/session-writer.ts";
import { LineSkimmer } from "../line/skim-line.ts";
import type { Range } from "../line/skimmed-keys.ts";
import type { Elsewhere } from "../read/elsewhere.ts";
import { streamEntries } from "../read/stream-entries.ts";

export interface ForkOptions {
  /** The uuid of the last entry to take over; by default the newest. */
  at?: string | undefined;
  title?: string | undefined;
}

export interface ForkResult {
  session: SessionRef;
  /** Entries of the conversation that the fork begins with. */
  entries: number;
  /** What of the session is not in the fork. */
  elsewhere: Elsewhere;
  /** Lines of the session that are no entries: the fork is without them. */
  rejections: readonly Rejection[];
}

/**
 * A new session that begins with the conversation up to an entry. Lines keep their bytes but for the session id,
 * as the client does it, so usage counted by message id counts them once; and but for a parent that leads past a part of the
 * conversation, because the client follows parents alone. One more line says when it was made: that is the
 * last thing that was done in it. The new file appears whole or not at all; sub-agents launched in it and file backups named
 * in it come along.
 */
export async function forkSession(
  context: StoreContext,
  session: SessionRef,
  options: ForkOptions = {},
): Promise<ForkResult> {
  const { files = nodeFileOps, clock = systemClock } = context;
  const sessionId = randomUUID();
  const fork: SessionRef = {
    sessionId,
    projectKey: session.projectKey,
    path: path.join(path.dirname(session.path), `${sessionId}.jsonl`),
  };
  const { at, owed } = await splitOwed(context.home, session, options.at);
  const conversation = await openConversation(session.path, { leaf: at });
  let taken: Taken;
  let elsewhere: Elsewhere;
  try {
    const uuids = uuidsOf([...conversation.entries(), ...owed]);
    taken = { uuids, entries: conversation.lines.length + owed.length };
    const snapshots = await loneLines(session.path, taken.uuids);
    const lines = [...conversation.lines, ...conversation.links, ...snapshots.lines].sort(
      (a, b) => a.offset - b.offset,
    );
    const customTitle = options.title ?? (snapshots.title && `${snapshots.title} (fork)`);
    const title = customTitle ? [JSON.stringify({ type: "custom-title", customTitle, sessionId })] : [];
    const forked = JSON.stringify({
      type: "holdfast-forked",
      forkedFrom: session.sessionId,
      sessionId,
      timestamp: clock.now().toISOString(),
    });
    // Of a whole conversation it is known.
    elsewhere = conversation.elsewhere!;
    await copyAgents(session, fork, { taken, files });
    copyBackups(context.configDir, { from: session.sessionId, to: sessionId, names: snapshots.backups });
    const source = fs.openSync(session.path, "r");
    try {
      const { parents } = conversation;
      const behind = owed.map((entry) => JSON.stringify({ ...entry, sessionId }));
      const more = [...behind, ...title, forked];
      writeNewFile(fork.path, linesWithSession(source, lines, { sessionId, parents, more }), files);
    } finally {
      fs.closeSync(source);
    }
  } catch (error) {
    removeFork(context.configDir, fork);
    throw error;
  } finally {
    conversation.close();
  }
  return { session: fork, entries: taken.entries, elsewhere, rejections: [...conversation.rejections] };
}

// What is owed to the session comes along, unless the fork ends before it.
async function splitOwed(
  home: string,
  session: SessionRef,
  at: string | undefined,
): Promise<{ at: string | undefined; owed: Entry[] }> {
  const owed = await readOwedEntries(home, session);
  if (at === undefined) return { at, owed };
  const last = owed.findIndex((entry) => uuidOf(entry)?.startsWith(at));
  return last < 0 ? { at, owed: [] } : { at: undefined, owed: owed.slice(0, last + 1) };
}

// The transcript first: without it nothing else of the fork is seen.
function removeFork(configDir: string, { path: file, sessionId }: SessionRef): void {
  const companions = path.join(path.dirname(file), sessionId);
  for (const each of [file, companions, configPaths(configDir).fileHistoryDir(sessionId)]) {
    try {
      fs.rmSync(each, { recursive: true, force: true });
    } catch {
      /* What stays behind is litter; the first error is the one to report. */
    }
  }
}

interface Taken {
  uuids: Set<string>;
  entries: number;
}

function uuidsOf(entries: Iterable<Entry>): Set<string> {
  const uuids = new Set<string>();
  for (const entry of entries) {
    const uuid = uuidOf(entry);
    if (uuid !== undefined) uuids.add(uuid);
  }
  return uuids;
}

interface LoneLines {
  lines: LineRef[];
  backups: Set<string>;
  title: string | undefined;
}

interface LoneEntry {
  messageId?: unknown;
  customTitle?: unknown;
  snapshot?: { trackedFileBackups?: unknown } | null;
  backup?: unknown;
}

// Lines outside the chain: file-history lines belong to the messages that they name, the last title to the session.
async function loneLines(file: string, uuids: Set<string>): Promise<LoneLines> {
  const found: LoneLines = { lines: [], backups: new Set(), title: undefined };
  const types = ["file-history-snapshot", "file-history-delta", "custom-title"];
  for await (const line of streamEntries(file, { types })) {
    if (line.kind !== "entry") continue;
    const { messageId, snapshot, backup, customTitle } = line.entry as LoneEntry;
    if (typeof customTitle === "string") found.title = customTitle;
    if (typeof messageId !== "string" || !uuids.has(messageId)) continue;
    found.lines.push({ offset: line.offset, length: line.length });
    for (const each of [backup, ...Object.values(snapshot?.trackedFileBackups ?? {})]) {
      const name = isJsonObject(each) ? each["backupFileName"] : undefined;
      if (typeof name === "string" && isSafeName(name)) found.backups.add(name);
    }
  }
  return found;
}

async function copyAgents(
  session: SessionRef,
  fork: SessionRef,
  { taken, files }: { taken: Taken; files: FileOps },
): Promise<void> {
  const copied = new Set<string>();
  for (const agent of await listAgents(session)) {
    if (agent.path === undefined || agent.launchedBy === undefined || !taken.uuids.has(agent.launchedBy))
      continue;
    // The same agent may lie there in both layouts; the first, nested one is the newer.
    if (copied.has(agent.agentId)) continue;
    copied.add(agent.agentId);
    const dir = path.join(path.dirname(fork.path), fork.sessionId, "subagents");
    files.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const fd = fs.openSync(agent.path, "r");
    try {
      const lines: LineRef[] = [];
      for await (const line of streamEntries(agent.path))
        if (line.kind === "entry") lines.push({ offset: line.offset, length: line.length });
      writeNewFile(
        path.join(dir, `agent-${agent.agentId}.jsonl`),
        linesWithSession(fd, lines, { sessionId: fork.sessionId }),
        files,
      );
    } finally {
      fs.closeSync(fd);
    }
    const meta = agent.path.replace(/\.jsonl$/, ".meta.json");
    if (fs.existsSync(meta))
      fs.copyFileSync(meta, path.join(dir, `agent-${agent.agentId}.meta.json`), fs.constants.COPYFILE_EXCL);
  }
}

// A backup is written once and never changed, so the fork may share it.
function copyBackups(
  configDir: string,
  { from, to, names }: { from: string; to: string; names: Set<string> },
): void {
  const paths = configPaths(configDir);
  for (const name of names) {
    const source = path.join(paths.fileHistoryDir(from), name);
    if (!fs.existsSync(source)) continue;
    fs.mkdirSync(paths.fileHistoryDir(to), { recursive: true, mode: 0o700 });
    try {
      fs.linkSync(source, path.join(paths.fileHistoryDir(to), name));
    } catch (error) {
      if (codeOf(error) !== "EXDEV" && codeOf(error) !== "EPERM") throw error;
      fs.copyFileSync(source, path.join(paths.fileHistoryDir(to), name), fs.constants.COPYFILE_EXCL);
    }
  }
}

interface ForkedLines {
  sessionId: string;
  /** By offset: the parent to be named instead. */
  parents?: ReadonlyMap<number, string>;
  more?: readonly string[];
}

function* linesWithSession(
  fd: number,
  lines: LineRef[],
  { sessionId, parents, more = [] }: ForkedLines,
): Generator<Buffer> {
  const skimmer = new LineSkimmer();
  for (const line of lines) {
    const bytes = readBytes(fd, line);
    skimmer.skim(bytes, 0, bytes.length);
    const changes: [Range, string][] = [[skimmer.sessionId, sessionId]];
    const parent = parents?.get(line.offset);
    if (parent !== undefined) changes.push([skimmer.parentUuid, parent]);
    yield withValues(bytes, changes);
  }
  for (const line of more) yield Buffer.from(line);
}

// A key that is not there gets no value.
function withValues(bytes: Buffer, changes: readonly [Range, string][]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [{ start, end }, value] of changes.toSorted(([a], [b]) => a.start - b.start)) {
    if (start < 0) continue;
    pieces.push(bytes.subarray(at, start), Buffer.from(value));
    at = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

// Written beside, synced and linked into place: a reader sees the whole fork or none.
function writeNewFile(file: string, lines: Iterable<Buffer>, files: FileOps): void {
  const temp = tempName(file);
  const fd = files.openSync(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      for (const line of lines) writeFully(fd, Buffer.concat([line, NEWLINE]), files);
      files.fdatasyncSync(fd);
    } finally {
      files.closeSync(fd);
    }
    files.linkSync(temp, file);
  } finally {
    fs.rmSync(temp, { force: true });
  }
  syncDir(path.dirname(file), files);
}

const NEWLINE = Buffer.from("\n");
