import { parseTaskNotification } from "../../format/task-notification.ts";
import type { EntryDraft } from "../../store/index.ts";

/** Something that a person said. */
export function promptDraft(text: string, promptSource: "typed" | "queued"): EntryDraft {
  return { type: "user", message: { role: "user", content: text }, promptSource };
}

/** What a conversation is told of a task that ended. */
export function noticeDraft(text: string): EntryDraft {
  return { type: "user", message: { role: "user", content: text }, ...noticeOrigin };
}

const noticeOrigin = { origin: { kind: "task-notification" }, promptSource: "system" };

/** An agent repeats a notice as something that it was told; who said it stays known. */
export function withOrigin(draft: EntryDraft): EntryDraft {
  const content = (draft["message"] as { content?: unknown } | undefined)?.content;
  const isNotice = draft.type === "user" && typeof content === "string" && parseTaskNotification(content);
  return isNotice ? { ...draft, ...noticeOrigin } : draft;
}

/** As the client notes it, so that both know it for what it is. */
export function interruptedDraft(): EntryDraft {
  const content = [{ type: "text", text: "[Request interrupted by user]" }];
  return { type: "user", message: { role: "user", content } };
}
