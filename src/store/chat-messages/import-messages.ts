import { randomUUID } from "node:crypto";
import path from "node:path";
import { whyNotWritable } from "../../format/entry-draft.ts";
import type { AssistantEntry, UserEntry } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { configPaths, projectKey } from "../../format/paths.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { WRITER_VERSION, type StoreContext } from "../write/session-writer.ts";
import type { EntryContext } from "./from-anthropic-messages.ts";

/** Where a conversation that was held elsewhere becomes a session. */
export interface ImportOptions {
  /** The working directory: names the project and goes into every entry. */
  cwd: string;
  title?: string | undefined;
  gitBranch?: string | undefined;
}

export type Convert<Message> = (
  messages: Iterable<Message>,
  context: EntryContext,
) => (UserEntry | AssistantEntry)[];

const roles = new Set<unknown>(["system", "user", "assistant", "tool"]);

/** A new session that holds these messages. It appears whole or not at all. Throws `entry_invalid`. */
export function importMessages<Message>(
  { configDir, clock = systemClock, files = nodeFileOps }: StoreContext,
  convert: Convert<Message>,
  messages: Iterable<Message>,
  { cwd, title, gitBranch }: ImportOptions,
): SessionRef {
  const given = [...messages];
  for (const [at, message] of given.entries()) {
    const why = whyNoMessage(message);
    if (why !== undefined) throw notImported(`message ${at + 1} ${why}`);
  }
  const ref = { sessionId: randomUUID(), projectKey: projectKey(cwd) };
  const { sessionId } = ref;
  const entries = convert(given, {
    sessionId,
    cwd,
    version: WRITER_VERSION,
    ...(gitBranch !== undefined && { gitBranch }),
    clock,
    newUuid: () => randomUUID(),
  });
  const unwritable = entries.map(whyNotWritable).find((why) => why !== undefined);
  if (unwritable !== undefined) throw notImported(unwritable);
  if (entries.length === 0) throw notImported("nothing is said in them");
  const titles = title === undefined ? [] : [{ type: "custom-title", customTitle: title, sessionId }];
  const file = configPaths(configDir).transcriptPath(ref);
  files.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const lines = [...entries, ...titles].map((entry) => `${JSON.stringify(entry)}\n`);
  createFileAtomic(file, lines.join(""), { files });
  return { ...ref, path: file };
}

function whyNoMessage(message: unknown): string | undefined {
  if (!isJsonObject(message)) return "is no object";
  const { role, content } = message;
  if (!roles.has(role)) return `has no role of ${[...roles].join(", ")}`;
  if (typeof content === "string" || (Array.isArray(content) && content.every(isJsonObject)))
    return undefined;
  return 'has a "content" that is neither text nor a list of objects';
}

function notImported(why: string): Error {
  return storeError("entry_invalid", `Cannot import messages: ${why}`);
}
