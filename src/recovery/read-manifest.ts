import fs from "node:fs";
import path from "node:path";
import { manifestLineBytesMax, manifestReadBytesMax } from "./limits.ts";
import { holdfastPaths } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { namesIn } from "../lib/names-in.ts";
import { parseManifestLine, type EndLine, type LaunchLine, type ManifestLine } from "./manifest-line.ts";

/** One launch, and what later lines say of it. */
export interface ManifestItem {
  launch: LaunchLine;
  end?: EndLine;
  /** The sessions that were told of its ending. */
  seenBy: string[];
  /** It had ended before, and was started again under the same id. */
  isRerun?: true;
}

/** The launches of a project, oldest first, from the newest part of its manifest. What is no line is passed over. */
export function readManifest(home: string, projectKey: string): ManifestItem[] {
  const file = holdfastPaths(home).projectManifestPath(projectKey);
  const current = readTail(file, manifestReadBytesMax);
  const room = manifestReadBytesMax - current.length;
  const older = room > 0 && current.isWhole ? rotatedBefore(file) : undefined;
  const text = (older === undefined ? "" : readTail(older, room).text) + current.text;
  return foldManifest(
    text
      .split("\n")
      .filter((line) => line !== "" && line.length <= manifestLineBytesMax)
      .map((line) => parseManifestLine(line))
      .filter((line) => line !== undefined),
  );
}

/**
 * Joins the lines of each task. Two hooks that run at once may write an ending before its launch, so order counts only
 * when a task was launched again (an agent that was resumed keeps its id): then what was said before is of the first run, which
 * is only given if every run is asked for.
 */
export function foldManifest(
  lines: Iterable<ManifestLine>,
  { isEveryRun = false }: { isEveryRun?: boolean } = {},
): ManifestItem[] {
  const earlier: ManifestItem[] = [];
  const items = new Map<string, ManifestItem>();
  const early = new Map<string, Pick<ManifestItem, "end" | "seenBy">>();
  for (const line of lines) {
    const id = line.agent_id;
    if (line.status === "launched") {
      const known = items.get(id);
      if (known && known.end === undefined) {
        known.launch = joined(known.launch, line);
        continue;
      }
      if (known && isEveryRun) earlier.push(known);
      items.delete(id);
      items.set(id, { launch: line, seenBy: [], ...(known ? { isRerun: true } : early.get(id)) });
      continue;
    }
    const told = items.get(id) ?? early.get(id) ?? { seenBy: [] };
    if (line.status === "seen") told.seenBy.push(line.session_id);
    else told.end = line;
    if (!items.has(id)) early.set(id, told);
  }
  return [...earlier, ...items.values()];
}

// The same launch, told by two events: the first that named it has the most to say. Told by another process of the client:
// that one has taken it over, and a session of its own goes on with it.
function joined(first: LaunchLine, later: LaunchLine): LaunchLine {
  const { client, session_id, transcript, output_file } = later;
  const isMoved =
    client &&
    first.client &&
    (client.pid !== first.client.pid || client.startTime !== first.client.startTime);
  if (!isMoved) return first;
  return { ...first, client, session_id, output_file, ...(transcript !== undefined && { transcript }) };
}

interface Tail {
  text: string;
  length: number;
  /** Nothing stands before it. */
  isWhole: boolean;
}

// From the first whole line on.
function readTail(file: string, bytesMax: number): Tail {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { text: "", length: 0, isWhole: true };
    throw error;
  }
  try {
    const { size } = fs.fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, bytesMax));
    const got = fs.readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    const isWhole = size <= bytesMax;
    const text = bytes.toString("utf8", 0, got);
    return { text: isWhole ? text : text.slice(text.indexOf("\n") + 1), length: got, isWhole };
  } finally {
    fs.closeSync(fd);
  }
}

/** The manifest that was put aside last; its name holds the time. */
function rotatedBefore(file: string): string | undefined {
  const dir = path.dirname(file);
  const stem = `${path.basename(file, ".jsonl")}.`;
  const rotated = namesIn(dir).filter((name) => name.startsWith(stem) && /\.\d{8}T\d{9}Z\.jsonl$/.test(name));
  const newest = rotated.sort().at(-1);
  return newest === undefined ? undefined : path.join(dir, newest);
}
