import fs from "node:fs";
import { readBytes } from "../lib/line-scanner.ts";
import type { AnyTranscript } from "../store/all-transcripts.ts";
import { sessionOfAgentFile } from "../store/agent-file.ts";
import { openIfThere } from "../store/open-if-there.ts";
import { documentOf, searchedText, type DocumentRole } from "./entry-document.ts";
import { parseJson } from "./prepare-documents.ts";
import { redactBlocks } from "./redact-documents.ts";
import type { Match, Wanted } from "./scan-matches.ts";
import { makeSnippet, type TextRange } from "./make-snippet.ts";

/** A message that matches. */
export interface SearchHit {
  sessionId: string;
  /** The project's folder name. */
  project: string;
  /** Of the entry; null for lines that have none (titles). */
  uuid: string | null;
  /** The sub-agent that said it; null for the main conversation. */
  agentId: string | null;
  role: DocumentRole;
  type: string;
  timestamp: string | null;
  /** The best part of its text, on one line, without secrets. */
  snippet: string;
  /** What matches in the snippet. */
  highlights: TextRange[];
  score: number;
  /** Its transcript. */
  path: string;
}

/** The hit of a match, read from its line; undefined when the line is no longer there. */
export async function readHit(
  { transcript, offset, length, score, at }: Match & { transcript: AnyTranscript },
  wanted: Wanted,
): Promise<SearchHit | undefined> {
  const { path, projectKey, agentId } = transcript;
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  let line: unknown;
  try {
    line = parseJson(readBytes(fd, { offset, length }).toString("utf8"));
  } finally {
    fs.closeSync(fd);
  }
  const document = documentOf(line);
  if (!document) return undefined;
  const [blocks = []] = await redactBlocks([document.blocks]);
  const { uuid, role, type } = document;
  return {
    sessionId: transcript.sessionId ?? sessionOfAgentFile(path) ?? "unknown",
    project: projectKey,
    uuid: uuid ?? null,
    agentId: agentId ?? null,
    role,
    type,
    timestamp: at === null ? null : new Date(at).toISOString(),
    ...makeSnippet(searchedText(blocks), wanted),
    score: Math.round(score * 1000) / 1000,
    path,
  };
}
