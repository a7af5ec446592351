import path from "node:path";
import { findPrograms } from "../../lib/find-programs.ts";
import type { AcpRunnerOptions } from "./acp/index.ts";
import { knownAgents, type KnownStart } from "./known/index.ts";

/** How an agent is started, and which runner understands it. */
export type AgentStart = KnownStart & {
  /** What errors call it; the command itself by default. */
  name?: string;
};

export interface FoundAgent {
  name: string;
  /** The program that was found; also the command of its start. */
  program: string;
  start: AgentStart;
}

/** Agents that Holdfast knows by name. Any other is started by its command. */
export const agentNames: readonly string[] = knownAgents.map(({ name }) => name);

/** The agents on a PATH, in the order of `agentNames`. */
export function findAgents(options: { path: string | undefined }): FoundAgent[] {
  return agentNames.flatMap((name) => findAgent(name, options) ?? []);
}

export function findAgent(
  name: string,
  { path: searchPath }: { path: string | undefined },
): FoundAgent | undefined {
  for (const start of startsOf(name)) {
    const [program] = findPrograms(start.command, searchPath);
    if (program !== undefined) return { name, program, start: { ...start, command: program } };
  }
  return undefined;
}

/** The programs that would make an agent available, for who has none of them. */
export function programsOf(name: string): string[] {
  return startsOf(name).map(({ command }) => command);
}

export function isAgentName(name: string): boolean {
  return agentNames.includes(name);
}

function startsOf(name: string): readonly KnownStart[] {
  return knownAgents.find((known) => known.name === name)?.starts ?? [];
}

/** What is known of the agent that a command line starts, when that is a known one: who names its program gets its fence, too. */
export function knownByCommand(line: string): Pick<AcpRunnerOptions, "fence" | "habits"> {
  const words = line.trim().split(/\s+/);
  const program = path.basename(words.find((word) => !word.startsWith("-") && !starters.has(word)) ?? "");
  const starts = knownAgents.flatMap((known) => known.starts);
  const start = starts.find((each) => each.runner === "acp" && each.command === program);
  return start?.runner === "acp" ? { fence: start.fence, ...(start.habits && { habits: start.habits }) } : {};
}

// Programs that start another one.
const starters = new Set(["env", "exec", "nohup", "npx", "bunx", "pnpm", "dlx", "node"]);
