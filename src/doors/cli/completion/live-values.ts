import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { ListedTask } from "../../../tasks/list/listed-task.ts";
import type { CommandContext, ValueKind } from "../command.ts";
import { sessionsCompletedMax, tasksCompletedMax } from "../limits.ts";
import { realDir } from "../real-dir.ts";
import { statusText } from "../tasks/status-text.ts";
import type { Completion, LiveValues } from "./complete-words.ts";

interface Place {
  runtime: Runtime;
  cwd: string;
  word: string;
  words: readonly string[];
}

/** Looks at the home for what can be named: ids and names of tasks, sessions, agents and their types. */
export function liveValues({ runtime, environment }: CommandContext): LiveValues {
  return async (kind, { word, words }) => {
    const look = lookups[kind];
    if (!look) return [];
    const found = await look({ runtime: await runtime(), cwd: realDir(environment.cwd), word, words });
    return found.map(({ value, text }) => ({ value, text: terminalLine(text) }));
  };
}

const lookups: Partial<Record<ValueKind, (place: Place) => Promise<Completion[]>>> = {
  task: async ({ runtime }) =>
    taskValues(await runtime.tasks.overview({ all: true, limit: tasksCompletedMax })),
  "running-task": async ({ runtime }) => taskValues(await runtime.tasks.overview()),
  session: sessionValues,
  question: questionValues,
  agent: async () =>
    (await import("../agents/agent-options.ts")).agentNames.map((value) => ({ value, text: "" })),
  "agent-type": async ({ runtime, cwd }) =>
    (await runtime.agents.types({ cwd })).types.map(({ name, description }) => ({
      value: name,
      text: description,
    })),
};

const last: Completion = { value: "@last", text: "the newest" };

function taskValues(tasks: readonly ListedTask[]): Completion[] {
  if (tasks.length === 0) return [];
  const values = tasks.flatMap(({ id, name, description, state }) => {
    const text = `${statusText(state)}: ${description}`;
    return [...(name === undefined ? [] : [{ value: name, text }]), { value: id, text }];
  });
  // Several tasks may have had one name, which means the newest.
  const isFirst = ({ value }: Completion, at: number): boolean =>
    values.findIndex((each) => each.value === value) === at;
  return [last, ...values.filter(isFirst)];
}

// Of this project; of all where none of it begins with what was typed.
async function sessionValues({ runtime: { sessions }, cwd, word }: Place): Promise<Completion[]> {
  const list = async (of: { project?: string }): Promise<Completion[]> =>
    (await sessions.list({ ...of, limit: sessionsCompletedMax, counts: false })).map(
      ({ sessionId, title, firstPrompt }) => ({ value: sessionId, text: title ?? firstPrompt ?? "" }),
    );
  const own = [last, ...(await list({ project: await sessions.projectOf(cwd) }))];
  return own.some(({ value }) => value.startsWith(word)) && own.length > 1
    ? own
    : [last, ...(await list({}))];
}

// The one that the agent waits for which was named before.
async function questionValues({ runtime: { tasks, agents }, words: [id] }: Place): Promise<Completion[]> {
  if (id === undefined) return [];
  const asked = (await agents.progress(await tasks.find(id)))?.needsInput;
  return asked ? [{ value: asked.requestId, text: asked.title }] : [];
}
