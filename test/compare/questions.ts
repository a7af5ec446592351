import { foundHits, hitsWithoutTies } from "./hits-without-ties.ts";

/** What is asked of both builds. */
export interface Question {
  readonly words: readonly string[];
  /** The part of the answer that must be equal; all of it if absent. */
  readonly comparable?: (json: unknown) => unknown;
}

const USAGE_ROWS = ["day", "project", "model", "session", "agent", "task"];

/** What is asked of transcripts, besides searches. `since` is a UTC day, `newest` are transcripts. */
export function transcriptQuestions({
  since,
  newest,
}: {
  since: string;
  newest: readonly string[];
}): Question[] {
  const byRow = USAGE_ROWS.map((row) => ["usage", "--by", row]);
  return [
    ...byRow.map((words) => ({ words })),
    ...byRow.map((words) => ({ words: [...words, "--since", since] })),
    { words: ["sessions", "--all"] },
    { words: ["sessions", "--all", "--limit", "50"] },
    { words: ["doctor"], comparable: healthOf("sessions") },
    { words: ["doctor", "--full"], comparable: healthOf("sessions") },
    ...newest.map((file) => ({ words: ["show", file] })),
    ...newest.map((file) => ({ words: ["show", file, "--context"] })),
  ];
}

/**
 * Searches for each word alone, and for pairs of them in every way that the query language has. While an index is behind
 * the transcripts, what it holds of the old ones weighs on its scores, so only what is found must be equal then.
 */
export function searchQuestions(
  words: readonly string[],
  { isIndexCurrent }: { isIndexCurrent: boolean },
): Question[] {
  const [one = "", two = "", three = ""] = words;
  const composed = [
    [one, two],
    [`"${one} ${two}"`],
    [one, "OR", two],
    [two, "NOT", three],
    [`${three.slice(0, 4)}*`],
    [one, "--role", "assistant"],
    [one, "--limit", "500"],
    ["--regex", `${two.slice(0, 3)}[a-z]+`],
    ["--regex", `(${one}|${three})\\b`],
  ];
  return [...words.map((word) => [word]), ...composed].map((query) => ({
    words: ["search", ...query],
    comparable: isIndexCurrent ? hitsWithoutTies : foundHits,
  }));
}

/** What is asked of tasks. */
export function taskQuestions(questions: readonly (readonly string[])[]): Question[] {
  return questions.map((words) =>
    words[0] === "doctor" ? { words, comparable: healthOf("tasks") } : { words },
  );
}

/** What an index holds. Its size on disk is no answer. */
export const indexQuestion: Question = {
  words: ["index"],
  comparable: (json) => {
    const { files, documents, missingBytes } = json as Record<string, unknown>;
    return { files, documents, missingBytes };
  },
};

interface Health {
  checks: { name: string; group: string; status: string; summary: string; findings: unknown }[];
}

// What the machine has at the moment, and a check that older builds do not have.
const notCompared = new Set(["orphaned-processes", "unseen-tasks"]);

/**
 * The checks of one group. Nobody asks for the group "environment" (Node, disk, clock, watches, hooks), which is about the
 * machine, and so are orphaned processes. Words of a summary may change, its numbers may not.
 */
function healthOf(wanted: "sessions" | "tasks"): (json: unknown) => unknown {
  return (json) =>
    (json as Health).checks
      .filter(({ group, name }) => group === wanted && !notCompared.has(name))
      .map(({ name, status, summary, findings }) => ({
        name,
        status,
        numbers: summary.match(/\d+/g),
        findings,
      }));
}
