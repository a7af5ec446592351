import fs from "node:fs";
import { readBytes } from "../lib/line-scanner.ts";
import { isJsonObject } from "../format/json-object.ts";
import { valueOfLine } from "../format/line-entry.ts";
import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { sessionOfAgentFile } from "../store/list/agent-file.ts";
import { glanceAtFacts } from "../store/list/glance-facts.ts";
import { openIfThere } from "../store/read/open-if-there.ts";
import type { DocumentRole } from "./document-role.ts";
import { documentOf, searchedText, type EntryDocument } from "./entry-document.ts";
import { redactBlocks } from "./redact-documents.ts";
import type { Match, Wanted } from "./scan-matches.ts";
import { makeSnippet, type TextRange } from "./make-snippet.ts";

/** A message that matches. */
export interface SearchHit {
  /** Null for a task that no session started. */
  sessionId: string | null;
  /** The project's folder name. Not reversible: `cwd` is the true directory. */
  project: string;
  /** Where it was said; null where nothing says so. */
  cwd: string | null;
  /** Of the entry; null for lines that have none (titles). */
  uuid: string | null;
  /** The sub-agent that said it; null for the main conversation. */
  agentId: string | null;
  /** The background task that it is about; null for what stands in a transcript. */
  taskId: string | null;
  role: DocumentRole;
  /** As transcripts name it; "task" for a background task. */
  type: string;
  timestamp: string | null;
  /** The best part of its text, on one line, without secrets. */
  snippet: string;
  /** What matches in the snippet. */
  highlights: TextRange[];
  score: number;
  /** Its transcript; null for a task. */
  path: string | null;
}

/** The hit of a match whose line was read. */
export function hitOf(match: TranscriptMatch, document: MatchedDocument, wanted: Wanted): SearchHit {
  const { path, projectKey, agentId, sessionId } = match.transcript;
  const { uuid, role, type, blocks, cwd } = document;
  return {
    sessionId: sessionId ?? sessionOfAgentFile(path) ?? "unknown",
    project: projectKey,
    cwd: cwd ?? null,
    uuid: uuid ?? null,
    agentId: agentId ?? null,
    taskId: null,
    role,
    type,
    timestamp: match.at === null ? null : new Date(match.at).toISOString(),
    ...makeSnippet(searchedText(blocks), wanted),
    score: Math.round(match.score * 1000) / 1000,
    path,
  };
}

export type TranscriptMatch = Match & { transcript: AnyTranscript };

interface MatchedDocument extends EntryDocument {
  cwd: string | undefined;
}

/** What matches, without its secrets; undefined when its line is no longer there. */
export async function readMatch({
  transcript,
  offset,
  length,
}: TranscriptMatch): Promise<MatchedDocument | undefined> {
  const fd = openIfThere(transcript.path);
  if (fd === undefined) return undefined;
  let line: unknown;
  let cwd: string | undefined;
  try {
    line = valueOfLine(readBytes(fd, { offset, length }).toString("utf8"));
    // A title says nothing of where it was given; its session does.
    cwd = cwdOf(line) ?? glanceAtFacts(fd, transcript.bytes).cwd;
  } finally {
    fs.closeSync(fd);
  }
  const document = documentOf(line);
  if (!document) return undefined;
  const [blocks = []] = await redactBlocks([document.blocks]);
  return { ...document, cwd, blocks: [...blocks] };
}

function cwdOf(line: unknown): string | undefined {
  const cwd = isJsonObject(line) ? line["cwd"] : undefined;
  return typeof cwd === "string" ? cwd : undefined;
}
