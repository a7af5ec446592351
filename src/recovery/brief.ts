import { briefItemsMax, briefLengthMax } from "./limits.ts";
import { modelLine, modelText } from "../format/model-text.ts";
import { repetitionText } from "../tasks/notices/offer.ts";
import { beginningOf } from "../lib/whole-characters.ts";
import type { DuplicateWork, Recovery } from "./recover.ts";
import type { RecoveredItem } from "./recovered-item.ts";

export interface BriefOptions {
  now: Date;
  /** Whom it is for; its own work is told from that of others. */
  sessionId?: string | undefined;
  /** How the reader gets the whole list, for what the text has no room for. */
  listedBy?: string | undefined;
  /** Of which endings it is not known whether they were told before. */
  mayRepeat?: ((item: RecoveredItem) => boolean) | undefined;
}

export interface Brief {
  text: string;
  /** The endings that the text tells, which the reader has then seen. */
  told: RecoveredItem[];
}

/**
 * What an agent is told: facts, no commands, below the client's limit for context, and never twice the same text (the
 * client drops a repetition, so it begins with the time). Undefined when there is nothing to say.
 */
export function buildBrief(recovery: Recovery, options: BriefOptions): Brief | undefined {
  const { listedBy } = options;
  const { running, finishedUnseen, lost, seen } = recovery;
  if (running.length + finishedUnseen.length + lost.length + seen.length === 0) return undefined;
  const told: RecoveredItem[] = [];
  const lines = [
    `Holdfast, ${options.now.toISOString()}: state of background work in this project, from its records and from the processes and files themselves.`,
  ];
  const room = (): number => briefLengthMax - lines.reduce((sum, line) => sum + line.length + 1, 0);
  const add = (title: string, items: readonly RecoveredItem[], isNews: boolean): void => {
    if (items.length === 0) return;
    const part = [`\n${title} (${items.length}):`];
    let named = 0;
    for (const item of items.slice(0, briefItemsMax)) {
      const text = describe(item, isNews ? options : { ...options, isKnown: true });
      const length = part.reduce((sum, line) => sum + line.length + 1, 0) + text.length;
      if (length > room() - ROOM_FOR_COUNTS) break;
      part.push(text);
      named++;
      if (isNews) told.push(item);
    }
    const where = listedBy === undefined ? "" : `, listed by: ${listedBy}`;
    if (named < items.length) part.push(`- and ${items.length - named} more${where}`);
    lines.push(...part);
  };
  add("Finished, not reported yet", finishedUnseen, true);
  add("Ended without a record of how", lost, true);
  add("Running now", running, false);
  add("Finished and reported before in this session", seen, false);
  if (recovery.duplicates.length > 0) lines.push(`\n${duplicateText(recovery.duplicates)}`);
  if (lost.some(({ owner }) => owner === "client"))
    lines.push(
      '\nA notice of the client that such work "didn\'t finish before the previous session ended" was made without looking at its processes and files; the above was made by looking.',
    );
  return { text: beginningOf(lines.join("\n"), briefLengthMax), told };
}

// For the lines that count what was left out, and those at the end.
const ROOM_FOR_COUNTS = 900;
const ID_LENGTH_MAX = 100;
// A path that is longer leads nowhere.
const PATH_LENGTH_MAX = 4096;

/** Stands with each ending that a brief tells, and nowhere else: a transcript that holds it has been told. */
export function noticeMark({ id }: Pick<RecoveredItem, "id">): string {
  return `(notice n-${modelLine(id, ID_LENGTH_MAX)})`;
}

function describe(item: RecoveredItem, options: BriefOptions & { isKnown?: true }): string {
  const { now, sessionId, mayRepeat, isKnown } = options;
  const what = item.kind === "local_bash" ? "command" : item.kind === "session" ? "session" : "agent";
  const type = item.agentType === undefined ? "" : ` (${modelLine(item.agentType, 60)})`;
  const facts = [
    `${statusText(item)}, started ${age(item.startedAt, now)} ago by ${launcherOf(item, sessionId)}`,
    ...(item.endedAt !== undefined && item.status !== "running" && item.status !== "lost"
      ? [`ended ${age(item.endedAt, now)} ago`]
      : []),
    ...(item.pids ? [`pid ${item.pids.slice(0, 5).join(", ")}`] : []),
    ...(item.detail === undefined ? [] : [modelLine(item.detail, 400)]),
    ...(item.outputFile === undefined
      ? []
      : [`${what === "agent" ? "transcript" : "output"}: ${modelLine(item.outputFile, PATH_LENGTH_MAX)}`]),
    `known by: ${modelLine(item.knownBy.join(", "), 200)}`,
    ...(isKnown ? [] : [noticeMark(item)]),
    ...(mayRepeat?.(item) ? [repetitionText] : []),
  ];
  const title = `- ${what} ${modelLine(item.id, ID_LENGTH_MAX)}${type} "${modelLine(item.description || item.prompt, 120)}": ${facts.join("; ")}`;
  if (item.result === undefined || item.status === "running") return title;
  const heading = what === "agent" ? "answer" : "end of its output";
  return `${title}\n  ${heading}:${resultLines(item.result)}`;
}

/** What work ended with, line by line, so far to the right that none of them can be taken for one of ours. */
export function resultLines(result: string): string {
  return ["", ...modelText(result).split("\n").slice(0, 12)].join("\n    ");
}

function statusText({ status, exitCode }: RecoveredItem): string {
  if (status === "lost") return "no longer runs";
  const words = modelLine(status, ID_LENGTH_MAX);
  return exitCode === undefined ? words : `${words} with exit code ${exitCode}`;
}

/** In words, as seen from a session. */
export function launcherOf({ sessionId, owner }: RecoveredItem, mine: string | undefined): string {
  if (sessionId === undefined) return owner === "holdfast" ? "Holdfast, for no session" : "nobody known";
  return sessionId === mine ? "this session" : `another session (${modelLine(sessionId, ID_LENGTH_MAX)})`;
}

function duplicateText(duplicates: readonly DuplicateWork[]): string {
  const named = duplicates.slice(0, 3).map(({ ids }) =>
    ids
      .slice(0, 5)
      .map((id) => modelLine(id, ID_LENGTH_MAX))
      .join(" = "),
  );
  return `The same work more than once: ${named.join("; ")}`;
}

/** `3 s`, `12 min`, `5 h`, `3 days`. */
export function age(from: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(from)) / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
