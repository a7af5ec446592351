import { isAssistant } from "../../format/entry-kinds.ts";
import { isJsonObject } from "../../format/json-object.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { Runtime } from "../open-runtime.ts";
import type { SessionSummary } from "../../store/list/list-sessions.ts";
import { usageView } from "../views/usage-view.ts";
import type { SessionAgentView } from "../views/conversation-view.ts";
import { sessionView } from "../views/session-view.ts";
import { listedSessionsMax } from "./limits.ts";
import { sessionAsked, transcriptAsked, type RunVerbs } from "./world.ts";
import type { SessionsAsked } from "./verbs.ts";

/** What is read of sessions and what belongs to them. */
export const sessionVerbs: RunVerbs<
  "sessions" | "countSessions" | "session" | "projects" | "agents" | "todos" | "files" | "cost" | "trashed"
> = {
  async sessions({ runtime }, { from = 0, limit = 100, ...asked }) {
    const to = from + Math.min(limit, listedSessionsMax);
    const { cwd: project, counts = false } = asked;
    // Of a list that is not filtered only what is shown is looked at.
    if (Object.entries(asked).every(([name, value]) => name === "counts" || value === undefined)) {
      const newest = await runtime.sessions.list({ limit: to, counts });
      return { sessions: newest.slice(from).map(sessionView), from, total: await runtime.sessions.count() };
    }
    const all = await runtime.sessions.list({ project, counts });
    const found = all.filter((each) => isAsked(each, asked));
    return { sessions: found.slice(from, to).map(sessionView), from, total: found.length };
  },
  async countSessions({ runtime }) {
    await runtime.sessions.list();
    const began = performance.now();
    await runtime.sessions.list();
    return { tookMs: performance.now() - began };
  },
  async session(world, asked) {
    const session = await sessionAsked(world, asked);
    return sessionView(await world.runtime.sessions.summary(session, { counts: false }));
  },
  async projects({ runtime }) {
    const projects = await runtime.sessions.projects();
    return projects.map(({ cwd = null, ...project }) => Object.assign(project, { cwd }));
  },
  async agents(world, asked) {
    const { runtime } = world;
    const session = await sessionAsked(world, asked);
    const agents = await runtime.sessions.agents(session);
    const tasks = await runtime.agents.list();
    return agents
      .filter(({ internal }) => !internal)
      .map(({ agentId, path, ...agent }): SessionAgentView => {
        const task = tasks.find(({ record }) => path !== undefined && record.agent?.transcript.path === path);
        const { agentType = null, description = null, toolUseId = null, launchedBy = null } = agent;
        return {
          agentId,
          agentType,
          description,
          toolUseId,
          launchedBy,
          hasTranscript: path !== undefined,
          taskId: task?.record.id ?? null,
        };
      });
  },
  async todos(world, asked) {
    const { lists, problems } = await world.runtime.sessions.todos(await sessionAsked(world, asked));
    return {
      lists: lists.map((list) => ({
        source: list.source,
        agentId: "agentId" in list ? list.agentId : null,
        items: list.items,
      })),
      problems: problems.map(({ path, reason }) => `${path}: ${reason}`),
    };
  },
  async files(world, asked) {
    const {
      cwd = null,
      snapshots,
      problems,
    } = await world.runtime.sessions.files(await sessionAsked(world, asked));
    return {
      cwd,
      turns: snapshots.map(({ messageId, takenAt = null, files }) => ({
        messageId,
        takenAt,
        files: files.map(({ path, was }) => ({ path, was: was.kind })),
      })),
      problems: problems.map(({ path, reason }) => `${path}: ${reason}`),
    };
  },
  async cost(world, asked) {
    const { runtime } = world;
    const own = await transcriptAsked(world, asked);
    const agents =
      asked.agent === undefined ? await runtime.sessions.agentFiles(own) : new Map<string, string>();
    const paths = [own.path, ...agents.values()];
    const { rows, totals } = usageView("model", await runtime.costOf(paths));
    return {
      costUsd: totals.costUsd,
      unpricedMessages: totals.unpricedMessages,
      models: rows.map(({ key: model, ...counts }) => Object.assign(counts, { model })),
      contextTokens: await contextTokensOf(runtime, own),
    };
  },
  async trashed({ runtime }) {
    const all = await runtime.sessions.listTrash();
    return all.map(({ sessionId, project, trashedAt, bytes, title = null }) => ({
      sessionId,
      project,
      trashedAt,
      bytes,
      title,
    }));
  },
};

// What the last request had before it, and what was answered: that is what the next one begins with.
async function contextTokensOf({ sessions }: Runtime, session: SessionRef): Promise<number | null> {
  const { entries } = await sessions.readConversation(session, { last: LAST_ENTRIES, withoutOwed: true });
  for (const entry of entries.toReversed()) {
    const usage = isAssistant(entry) ? (entry.message as { usage?: unknown }).usage : undefined;
    if (!isJsonObject(usage)) continue;
    const counts = [
      "input_tokens",
      "cache_creation_input_tokens",
      "cache_read_input_tokens",
      "output_tokens",
    ].map((key) => usage[key]);
    const tokens = counts.reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 0), 0);
    if (tokens > 0) return tokens;
  }
  return null;
}

/** Entries at the end among which there is an answer of the model, but for the oddest session. */
const LAST_ENTRIES = 100;

function isAsked(session: SessionSummary, { project, tag, q, archived }: SessionsAsked): boolean {
  if (project !== undefined && session.project !== project) return false;
  if (tag !== undefined && session.tag !== tag) return false;
  if (archived !== undefined && (session.archived === true) !== archived) return false;
  return q === undefined || holdsWords(session, q);
}

function holdsWords(session: SessionSummary, q: string): boolean {
  const { sessionId, title, firstPrompt, cwd, gitBranch, tag } = session;
  const text = [sessionId, title, firstPrompt, cwd, gitBranch, tag].join("\n").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
