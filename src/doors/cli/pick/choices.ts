import { readItems } from "../../../conversation/read-items.ts";
import { isEnded, type Runtime } from "../../../runtime/index.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Task } from "../../../index.ts";
import type { ListOptions, SessionSummary } from "../../../store/list/list-sessions.ts";
import type { PickedKind } from "../command.ts";
import { loadMarkdown } from "../conversation/render-markdown.ts";
import { ConversationRenderer } from "../conversation/conversation-renderer.ts";
import { lookAtTask } from "../conversation/look-at-task.ts";
import { statusText } from "../tasks/status-text.ts";
import type { Environment } from "../environment.ts";
import { realDir } from "../real-dir.ts";
import { displayPath } from "../render/display-path.ts";
import { shortIds } from "../render/short-ids.ts";
import type { Page } from "../render/style.ts";
import type { Choice } from "./choice.ts";

/** As many as one looks through; who means an older one knows its id. */
const OFFERED = 500;
const PREVIEWED_ENTRIES = 20;

/** What there is to choose from, the newest first; sessions of this project before all others. */
export async function choicesOf(
  kind: PickedKind,
  { runtime, environment }: { runtime: Runtime; environment: Environment },
): Promise<Choice[]> {
  const cwd = realDir(environment.cwd);
  const sessions = async (where: ListOptions): Promise<Choice[]> =>
    sessionChoices(await runtime.sessions.list({ ...where, counts: false, limit: OFFERED }), {
      runtime,
      environment,
    });
  const tasks = async (isWanted: (task: Task) => boolean, all = true): Promise<Choice[]> =>
    (await runtime.tasks.list({ all, limit: OFFERED, isWanted })).map((task) =>
      taskChoice(task, { runtime, environment }),
    );
  switch (kind) {
    case "session": {
      const here = await sessions({ project: await runtime.sessions.projectOf(cwd) });
      const known = new Set(here.map(({ id }) => id));
      return [...here, ...(await sessions({})).filter(({ id }) => !known.has(id))];
    }
    case "own-session":
      return sessions({ cwd });
    case "task":
      return tasks(() => true);
    case "running-task":
      return tasks(() => true, false);
    case "asking-task":
      return tasks(({ state }) => state.status === "running" && state.needsInput !== undefined, false);
    case "remote-task":
      return tasks(({ record }) => record.remote !== undefined);
    case "resumable": {
      const agents = await tasks(({ record, state }) => record.kind === "local_agent" && isEnded(state));
      return [...agents, ...(await sessions({ cwd }))].sort((a, b) => b.atMs - a.atMs);
    }
  }
}

interface Place {
  runtime: Runtime;
  environment: Environment;
}

function sessionChoices(found: readonly SessionSummary[], { runtime, environment }: Place): Choice[] {
  const ids = shortIds(found.map(({ sessionId }) => sessionId));
  return found.map((summary) => {
    const { sessionId, project, cwd, path, title, firstPrompt, updatedAt } = summary;
    return {
      id: sessionId,
      shownId: terminalLine(ids.get(sessionId) ?? sessionId),
      atMs: Date.parse(updatedAt),
      status: summary.archived ? "archived" : "session",
      where: cwd === undefined ? terminalLine(project) : displayPath(cwd, environment.userHome),
      what: terminalLine(title ?? firstPrompt ?? "") || "(no prompt)",
      preview: async (page) => {
        const session = { sessionId, projectKey: project, path };
        const conversation = await runtime.sessions.conversation(session, { last: PREVIEWED_ENTRIES });
        try {
          return await conversationEnd(conversation.entries(), page);
        } finally {
          conversation.close();
        }
      },
    };
  });
}

async function conversationEnd(entries: Parameters<typeof readItems>[0], page: Page): Promise<string[]> {
  await loadMarkdown(page);
  const renderer = new ConversationRenderer(page);
  const lines: string[] = [];
  for await (const item of readItems(entries)) lines.push(...renderer.render(item));
  return lines;
}

function taskChoice(task: Task, { runtime, environment }: Place): Choice {
  const { id, name, description, cwd, startedAt } = task.record;
  return {
    id,
    shownId: id,
    atMs: Date.parse(startedAt),
    status: statusText(task.state),
    where: displayPath(cwd, environment.userHome),
    what: terminalLine(name === undefined ? description : `${name}: ${description}`),
    preview: (page) => lookAtTask(runtime, task, page),
  };
}
