import { randomUUID } from "node:crypto";
import type { Entry } from "../../format/index.ts";
import { uuidOf } from "../../format/entry-kinds.ts";

/**
 * Entries that a repair puts into a transcript. Each says in words that it was not there before; the envelope is that of
 * the entry it stands beside, so that every reader takes it for what it is.
 */

/** In place of an entry that others hang on and that is gone: it leads on to where the conversation went before it. */
export function missingEntry(
  beside: Entry,
  { uuid, parentUuid }: { uuid: string; parentUuid: string | null },
): string {
  return JSON.stringify({
    parentUuid,
    ...envelopeOf(beside),
    type: "system",
    subtype: "informational",
    content: "An entry is missing here. Holdfast put this line in its place.",
    isMeta: false,
    level: "info",
    uuid,
  });
}

/** The result that a tool use never got. */
export function missingResult(use: Entry, toolUseId: string): string {
  const uuid = uuidOf(use);
  const content = "The result of this tool use is missing: the session was cut off before it was written.";
  return JSON.stringify({
    parentUuid: uuid,
    ...envelopeOf(use),
    type: "user",
    message: {
      role: "user",
      content: [{ tool_use_id: toolUseId, type: "tool_result", content, is_error: true }],
    },
    toolUseResult: `Error: ${content}`,
    sourceToolAssistantUUID: uuid,
    uuid: randomUUID(),
  });
}

const envelopeKeys = [
  "isSidechain",
  "agentId",
  "timestamp",
  "userType",
  "entrypoint",
  "cwd",
  "sessionId",
  "version",
  "gitBranch",
  "slug",
] as const;

function envelopeOf(entry: Entry): Record<string, unknown> {
  const values = entry as Record<string, unknown>;
  return Object.fromEntries(envelopeKeys.filter((key) => key in values).map((key) => [key, values[key]]));
}
