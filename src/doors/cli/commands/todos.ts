import { terminalLine } from "../../../lib/terminal-text.ts";
import type { TodoItem } from "../../../store/companions/todo-item.ts";
import type { TodoList } from "../../../store/companions/todos.ts";
import { defineCommand, type Command } from "../command.ts";
import { sayProblems } from "../say-problems.ts";
import { cutEnd } from "../render/cut-text.ts";
import { displayPath } from "../render/display-path.ts";
import type { Page } from "../render/style.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [{ ...sessionArgument, pick: "session" }],
  examples: [
    { line: "holdfast todos @last", text: "what the newest session has to do, and has done" },
    { line: "holdfast todos 1b3e", text: "of the session whose id begins with 1b3e" },
    { line: "holdfast todos 1b3e --json", text: "for programs" },
  ],
  options: [allOption],
  async run(context, { arguments: [id = ""], options }) {
    const { environment } = context;
    const { sessions: store } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    const { lists, problems } = await store.todos(session);
    if (context.isJson) return context.writeJson({ sessionId: session.sessionId, lists, problems });
    const { columns, style } = environment.stdout;
    for (const [index, list] of lists.entries()) {
      const head = style.dim(cutEnd(headOf(list, environment.userHome), columns));
      const items = list.items.map((item) => itemLine(item, { columns, style }));
      await context.writeLines([...(index > 0 ? [""] : []), head, ...items]);
    }
    if (lists.length === 0) context.say(`Session ${terminalLine(session.sessionId)} has no to-do list.`);
    sayProblems(context, problems);
  },
});

function headOf(list: TodoList, userHome: string): string {
  const done = list.items.filter(({ status }) => status === "completed").length;
  const who =
    list.source === "todos" && !list.path.includes(`${list.agentId}-agent-${list.agentId}`)
      ? `agent ${terminalLine(list.agentId)}, `
      : "";
  return `${who}${done} of ${list.items.length} done  ${displayPath(list.path, userHome)}`;
}

function itemLine(
  { id, subject, status, activeForm, blockedBy = [], owner }: TodoItem,
  { columns, style }: Page,
): string {
  const isActive = status === "in_progress";
  const [mark, paint] =
    status === "completed" ? ["✓", style.green] : isActive ? ["●", style.yellow] : ["○", style.dim];
  const text = isActive ? (activeForm ?? subject) : subject;
  const facts = [
    owner === undefined ? "" : `@${owner}`,
    blockedBy.length > 0 ? `waits for ${blockedBy.join(", ")}` : "",
  ].filter(Boolean);
  const line = [id === undefined ? "" : `${id}.`, text, facts.length > 0 ? `(${facts.join(", ")})` : ""]
    .filter(Boolean)
    .join(" ");
  return `${paint(mark)} ${cutEnd(terminalLine(line), columns - 2)}`;
}
