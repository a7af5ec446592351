import { modelLine, modelText } from "../format/model-text.ts";
import { repetitionText } from "../tasks/notices/offer.ts";
import { MONITOR, WORKFLOW } from "./manifest-line.ts";
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

export const ID_LENGTH_MAX = 100;
// A path that is longer leads nowhere.
const PATH_LENGTH_MAX = 4096;

/** Stands with each ending that a brief tells, and nowhere else: a transcript that holds it has been told. */
export function noticeMark({ id }: Pick<RecoveredItem, "id">): string {
  return `(notice n-${modelLine(id, ID_LENGTH_MAX)})`;
}

/** An ending in one line: what, how, and the mark by which it is recognised. */
export function shortLine(item: RecoveredItem, { now, mayRepeat, isNews = true }: LineOptions): string {
  const ended = hasEnded(item) ? [`ended ${age(item.endedAt!, now)} ago`] : [];
  return lineOf(item, [statusText(item), ...ended, ...markOf(item, { isNews, mayRepeat })]);
}

/** All that is known of it in one line. */
export function fullLine(item: RecoveredItem, options: LineOptions): string {
  const { now, sessionId, isNews = true, mayRepeat } = options;
  return lineOf(item, [
    `${statusText(item)}, started ${age(item.startedAt, now)} ago by ${launcherOf(item, sessionId)}`,
    ...(hasEnded(item) ? [`ended ${age(item.endedAt!, now)} ago`] : []),
    ...(item.pids ? [`pid ${item.pids.slice(0, 5).join(", ")}`] : []),
    ...(item.detail === undefined ? [] : [modelLine(item.detail, 400)]),
    ...(item.outputFile === undefined
      ? []
      : [`${isAgent(item) ? "transcript" : "output"}: ${modelLine(item.outputFile, PATH_LENGTH_MAX)}`]),
    `known by: ${modelLine(item.knownBy.join(", "), 200)}`,
    ...markOf(item, { isNews, mayRepeat }),
  ]);
}

/** What it ended with, below its line; empty when there is nothing. */
export function excerpt(item: RecoveredItem): string {
  if (item.result === undefined || item.status === "running") return "";
  return `\n  ${isAgent(item) ? "answer" : "end of its output"}:${resultLines(item.result)}`;
}

interface LineOptions extends BriefOptions {
  /** Told as news, and so with its mark. */
  isNews?: boolean;
}

function lineOf(item: RecoveredItem, facts: readonly string[]): string {
  const type = item.agentType === undefined || isWatcher(item) ? "" : ` (${modelLine(item.agentType, 60)})`;
  const name = modelLine(item.description || item.prompt, 120);
  return `- ${kindText(item)} ${modelLine(item.id, ID_LENGTH_MAX)}${type} "${name}": ${facts.join("; ")}`;
}

function kindText(item: RecoveredItem): string {
  if (isWatcher(item)) return modelLine(item.agentType ?? "", ID_LENGTH_MAX);
  return item.kind === "local_bash" ? "command" : item.kind === "session" ? "session" : "agent";
}

// The client's own words for what is neither a command nor an agent.
function isWatcher({ agentType }: RecoveredItem): boolean {
  return agentType === MONITOR || agentType === WORKFLOW;
}

function isAgent({ kind }: RecoveredItem): boolean {
  return kind !== "local_bash" && kind !== "session";
}

function hasEnded({ status, endedAt }: RecoveredItem): boolean {
  return endedAt !== undefined && status !== "running" && status !== "lost";
}

function markOf(
  item: RecoveredItem,
  { isNews, mayRepeat }: Pick<LineOptions, "isNews" | "mayRepeat">,
): string[] {
  return isNews ? [noticeMark(item), ...(mayRepeat?.(item) ? [repetitionText] : [])] : [];
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

/** `3 s`, `12 min`, `5 h`, `3 days`. */
export function age(from: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(from)) / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
