import { isAssistant, isUser } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";
import type { EntryDraft } from "../../store/index.ts";
import { OpenTools } from "../../store/owed/open-tools.ts";
import type { OwedAnswer } from "../../store/owed/owed-answer.ts";

/**
 * What a conversation says that goes on before the answer to its last prompt is there, because a task still works on it:
 * to each tool that waits for a result, else to the prompt. Nothing when nothing waits.
 */
export function excuses(
  entries: readonly Entry[],
  underWay: readonly Pick<OwedAnswer, "task">[],
): EntryDraft[] {
  const ids = underWay.map(({ task }) => task.id).join(", ");
  const why = `This query goes on in the background as task ${ids}; its answer will be added to this conversation when it has ended.`;
  const open = new OpenTools();
  for (const entry of entries) open.see(entry);
  const results = open.interrupted(why);
  if (results.length > 0) return results;
  const last = entries.findLast((entry) => isUser(entry) || isAssistant(entry));
  if (!last || !isUser(last)) return [];
  return [{ type: "user", message: { role: "user", content: why }, isMeta: true }];
}
