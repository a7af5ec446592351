import { collapseProgress } from "../../../lib/collapse-progress.ts";
import { terminalText } from "../../../lib/terminal-text.ts";
import { readItems } from "../../../conversation/read-items.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { Task } from "../../../index.ts";
import { loadMarkdown } from "./render-markdown.ts";
import { ConversationRenderer } from "./conversation-renderer.ts";
import { makeStyle } from "../render/style.ts";

/** More than any window shows. */
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 500;
const ENTRIES = 30;

/** The end of what a task has said so far: of a command its output, of an agent its conversation. */
export async function lookAtTask(
  { tasks, agents }: Pick<Runtime, "tasks" | "agents">,
  task: Task,
  { columns }: { columns: number },
): Promise<string[]> {
  const { record } = task;
  if (record.kind === "local_agent") return conversationEnd(agents, task, columns);
  const streams = record.shell.merged ? (["stdout"] as const) : (["stdout", "stderr"] as const);
  const tails = await Promise.all(
    streams.map((stream) => tasks.read(task, { stream, bytesMax: TAIL_BYTES, lastLines: TAIL_LINES })),
  );
  return tails
    .flatMap(({ text }) => terminalText(collapseProgress(text)).split("\n"))
    .filter((line) => line.trim() !== "");
}

async function conversationEnd(agents: Runtime["agents"], task: Task, columns: number): Promise<string[]> {
  const page = { columns: columns - 2, style: makeStyle({ hasColor: false }) };
  await loadMarkdown(page);
  const renderer = new ConversationRenderer(page);
  const lines: string[] = [];
  for await (const item of readItems(agents.entries(task, { last: ENTRIES })))
    lines.push(...renderer.render(item).filter((line) => line !== ""));
  return lines;
}
