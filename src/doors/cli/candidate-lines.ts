import { formatAge, formatCount } from "../../lib/quantities.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import type { Runtime } from "../../runtime/index.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { CommandContext } from "./command.ts";
import { cutEnd } from "./render/cut-text.ts";

/** A session or task that a typed id may mean, as the error names it. */
interface Candidate {
  sessionId?: string;
  id?: string;
  project?: string;
  path?: string;
  title?: string;
}

const LISTED_MAX = 10;

/** Those that an id may mean, newest first, with ages and titles by which a person tells them apart. */
export async function candidateLines(
  context: CommandContext,
  candidates: readonly Candidate[],
): Promise<string[]> {
  const runtime = await context.runtime();
  const now = new Date();
  const shown = await Promise.all(
    candidates.slice(0, LISTED_MAX).map(async (candidate) => {
      const { at = "", text = "" } = await lookUp(runtime, candidate);
      const id = terminalLine(candidate.sessionId ?? candidate.id ?? "");
      // Only by its path can one be named whose id another has, too.
      const isTwin = candidates.filter(({ sessionId }) => sessionId === candidate.sessionId).length > 1;
      const twin = isTwin && candidate.path !== undefined ? [candidate.path] : [];
      return {
        id,
        at,
        age: formatAge(at, now),
        text: terminalLine([text, ...twin].filter(Boolean).join("  ")),
      };
    }),
  );
  const [idWidth, ageWidth] = (["id", "age"] as const).map((key) =>
    Math.max(...shown.map((each) => each[key].length)),
  ) as [number, number];
  const newestFirst = shown.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const lines = newestFirst.map(({ id, age, text }) =>
    cutEnd(
      `  ${id.padEnd(idWidth)}  ${age.padStart(ageWidth)}  ${text}`.trimEnd(),
      context.environment.stderr.columns,
    ),
  );
  const more = candidates.length - shown.length;
  return more > 0 ? [...lines, `  and ${formatCount(more)} more`] : lines;
}

interface Known {
  at?: string;
  text?: string;
}

// What is gone by now, or cannot be read, is only named.
async function lookUp(runtime: Runtime, candidate: Candidate): Promise<Known> {
  const { sessionId, project: projectKey = "", path, id, title } = candidate;
  try {
    if (id !== undefined) return await ofTask(runtime, id).catch(() => ofNamedSession(runtime, id));
    if (sessionId === undefined || path === undefined) return title === undefined ? {} : { text: title };
    return await ofSession(runtime, { sessionId, projectKey, path });
  } catch {
    return {};
  }
}

async function ofTask({ tasks }: Runtime, id: string): Promise<Known> {
  const { name, description, startedAt } = (await tasks.find(id)).record;
  return { at: startedAt, text: name === undefined || name === id ? description : name };
}

// Where a session or a task may be meant, both are named by `id`.
async function ofNamedSession(runtime: Runtime, id: string): Promise<Known> {
  return ofSession(runtime, await runtime.sessions.find(id));
}

async function ofSession({ sessions }: Runtime, session: SessionRef): Promise<Known> {
  const { title, firstPrompt = "", updatedAt } = await sessions.summary(session);
  return { at: updatedAt, text: title ?? firstPrompt };
}
