import fs from "node:fs";
import { terminalText } from "../../../../lib/terminal-text.ts";
import { openConversation } from "../../../../store/read/conversation.ts";
import { collapseProgress } from "../../../../lib/collapse-progress.ts";
import { readTail } from "../../../../tasks/output/read-output.ts";
import type { Task } from "../../../../tasks/record/task.ts";
import { takeItems } from "../../../../conversation/read-items.ts";
import { ConversationRenderer } from "../../render/conversation-renderer.ts";
import { makeStyle } from "../../render/style.ts";

/** More than any window shows. */
const TAIL_BYTES = 16 * 1024;
const ENTRIES = 30;

/** The end of what a task has said so far: of a command its output, of an agent its conversation. */
export async function lookAtTask(
  { record, files }: Task,
  { columns }: { columns: number },
): Promise<string[]> {
  if (!fs.existsSync(files.output)) return [];
  if (record.kind === "local_agent") return conversationEnd(files.output, columns);
  const streams = record.shell.merged ? [files.output] : [files.output, files.stderr];
  return streams
    .map((file) => collapseProgress(readTail(file, { bytesMax: TAIL_BYTES }).text))
    .flatMap((text) => terminalText(text).split("\n"))
    .filter((line) => line.trim() !== "");
}

async function conversationEnd(file: string, columns: number): Promise<string[]> {
  const items = await takeItems(await openConversation(fs.realpathSync(file), { last: ENTRIES }));
  const renderer = new ConversationRenderer({ columns: columns - 2, style: makeStyle({ hasColor: false }) });
  return items.flatMap((item) => renderer.render(item)).filter((line) => line !== "");
}
