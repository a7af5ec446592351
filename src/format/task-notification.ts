/**
 * The text that tells a conversation that a background task ended.
 *
 * It looks like XML and is none: the client writes summary and result raw, with whatever tags they hold.
 * So reading goes strictly from the front (id and status come before anything a task could have written)
 * and the result ends at the *last* closing tag. What we write ourselves is neutralised (neutralise-tags.ts):
 * every `<` in it is ours.
 */
import { parseTaskId } from "./ids.ts";
import { notificationResultLengthMax, notificationSummaryLengthMax } from "./limits.ts";
import { modelText } from "./model-text.ts";
import { isSafeName } from "./paths.ts";
import { cutText, oneLine } from "./short-text.ts";

export interface TaskNotification {
  readonly taskId: string;
  readonly toolUseId?: string;
  readonly outputFile?: string;
  /** The client writes `completed`, `failed` or `killed`. */
  readonly status: string;
  /** One line for people and models; empty only in text from elsewhere. */
  readonly summary: string;
  readonly note?: string;
  /** An agent's final answer. */
  readonly result?: string;
  readonly usage?: TaskNotificationUsage;
}

export interface TaskNotificationUsage {
  readonly totalTokens?: number;
  readonly toolUses?: number;
  readonly durationMs?: number;
}

/** Reads a notification of any client version or of ours; undefined when the text is something else. */
export function parseTaskNotification(text: string): TaskNotification | undefined {
  const start = text.length - text.trimStart().length;
  const end = text.lastIndexOf("</task-notification>");
  if (!text.startsWith("<task-notification>", start) || end < start) return undefined;
  const sections = parseSections(text.slice(start + "<task-notification>".length, end));

  const taskId = sections.get("task-id")?.trim();
  const status = sections.get("status")?.trim();
  if (taskId === undefined || !isSafeName(taskId) || /[\s<>]/.test(taskId)) return undefined;
  if (status === undefined || !isStatus(status)) return undefined;
  return {
    taskId,
    status,
    summary: sections.get("summary")?.trim() ?? "",
    ...optional("toolUseId", sections.get("tool-use-id")?.trim()),
    ...optional("outputFile", sections.get("output-file")?.trim()),
    ...optional("note", sections.get("note")?.trim()),
    ...optional("result", sections.get("result")),
    ...optional("usage", parseUsage(sections.get("usage"))),
  };
}

/**
 * Writes a notification as the newest client does. Nothing in any field can open or close a tag, and a
 * result over the limit is cut and says so. Throws a RangeError on an id or a status that is none.
 */
export function buildTaskNotification(notification: TaskNotification): string {
  const { taskId, status, toolUseId, outputFile, note, result, usage } = notification;
  if (parseTaskId(taskId) === undefined) {
    throw new RangeError(`Cannot build a notification for task ${JSON.stringify(taskId)}: not a task id`);
  }
  if (!isStatus(status)) {
    throw new RangeError(
      `Cannot build a notification for task "${taskId}": ${JSON.stringify(status)} is not a status`,
    );
  }
  const lines = [
    "<task-notification>",
    section("task-id", taskId),
    section("tool-use-id", toolUseId),
    section("output-file", outputFile),
    section("status", status),
    section("summary", cutText(oneLine(notification.summary), notificationSummaryLengthMax)),
    section("note", note),
    section("result", result === undefined ? undefined : cutText(result, notificationResultLengthMax)),
    usage === undefined ? undefined : usageLine(usage),
    "</task-notification>",
  ];
  return lines.filter((line) => line !== undefined).join("\n");
}

/** Reads `<name>…</name>` one after the other from the front; the first of a name wins. */
function parseSections(body: string): Map<string, string> {
  const sections = new Map<string, string>();
  const openTag = /\s*<([a-z][a-z-]*)>/y;
  for (let open = openTag.exec(body); open !== null; open = openTag.exec(body)) {
    const name = open[1] ?? "";
    const start = openTag.lastIndex;
    const end = sectionEnd(body, name, start);
    if (end === -1) break;
    if (!sections.has(name)) sections.set(name, body.slice(start, end));
    openTag.lastIndex = end + `</${name}>`.length;
  }
  return sections;
}

/** Where a section ends. The two that a task may have filled can hold their own closing tag. */
function sectionEnd(body: string, name: string, start: number): number {
  const closeTag = `</${name}>`;
  const first = body.indexOf(closeTag, start);
  if (name === "result" && first !== -1) return body.lastIndexOf(closeTag);
  if (name !== "summary") return first;
  for (let end = first; end !== -1; end = body.indexOf(closeTag, end + closeTag.length)) {
    afterSummary.lastIndex = end + closeTag.length;
    if (afterSummary.test(body)) return end;
  }
  return first;
}

const afterSummary = /\s*(?:$|<(?:note|result|usage)>)/y;

/** Both forms: tags inside, or (2.1.37) one `key: value` a line. `subagent_tokens` is the newer name. */
function parseUsage(text: string | undefined): TaskNotificationUsage | undefined {
  if (text === undefined) return undefined;
  return {
    ...optional("totalTokens", usageNumber(text, "(?:total|subagent)_tokens")),
    ...optional("toolUses", usageNumber(text, "tool_uses")),
    ...optional("durationMs", usageNumber(text, "duration_ms")),
  };
}

function usageNumber(text: string, keyPattern: string): number | undefined {
  const digits = new RegExp(`(?:<${keyPattern}>|^\\s*${keyPattern}:)\\s*(\\d{1,15})\\b`, "m").exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function section(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `<${name}>${modelText(text)}</${name}>`;
}

function usageLine({ totalTokens, toolUses, durationMs }: TaskNotificationUsage): string {
  const numbers = [
    section("total_tokens", totalTokens?.toFixed(0)),
    section("tool_uses", toolUses?.toFixed(0)),
    section("duration_ms", durationMs?.toFixed(0)),
  ];
  return `<usage>${numbers.join("")}</usage>`;
}

function isStatus(text: string): boolean {
  return /^[a-z][a-z_-]{0,31}$/.test(text);
}

/** The key with its value, or no key at all: the shapes here never hold an explicit undefined. */
function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value });
}
