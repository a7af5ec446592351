import { findPrograms } from "../../lib/find-programs.ts";

/** Agents that Holdfast knows by name. Any other is started by its command. */
export const agentNames = ["claude", "codex", "gemini", "opencode"] as const;
export type AgentName = (typeof agentNames)[number];

/** How an agent is started, and which runner understands it. */
export type AgentStart = {
  command: string;
  args: string[];
  /** What errors call it; the command itself by default. */
  name?: string;
} & ({ runner: "acp" } | { runner: "stream-json"; dialect: "claude" | "codex" });

export interface FoundAgent {
  name: AgentName;
  /** The program that was found; also the command of its start. */
  program: string;
  start: AgentStart;
}

// The first program that is there wins. Claude's own lines are the transcript's shape already, so it needs no adapter;
// Codex can ask for permission only through its adapter.
const starts: Record<AgentName, readonly AgentStart[]> = {
  claude: [
    { command: "claude", args: [], runner: "stream-json", dialect: "claude" },
    { command: "claude-agent-acp", args: [], runner: "acp" },
  ],
  codex: [
    { command: "codex-acp", args: [], runner: "acp" },
    { command: "codex", args: [], runner: "stream-json", dialect: "codex" },
  ],
  gemini: [{ command: "gemini", args: ["--acp"], runner: "acp" }],
  opencode: [{ command: "opencode", args: ["acp"], runner: "acp" }],
};

/** The agents on a PATH, in the order of `agentNames`. */
export function findAgents(options: { path: string | undefined }): FoundAgent[] {
  return agentNames.flatMap((name) => findAgent(name, options) ?? []);
}

export function findAgent(
  name: AgentName,
  { path: searchPath }: { path: string | undefined },
): FoundAgent | undefined {
  for (const start of starts[name]) {
    const [program] = findPrograms(start.command, searchPath);
    if (program !== undefined) return { name, program, start: { ...start, command: program } };
  }
  return undefined;
}

/** The programs that would make an agent available, for who has none of them. */
export function programsOf(name: AgentName): string[] {
  return starts[name].map(({ command }) => command);
}

export function isAgentName(name: string): name is AgentName {
  return (agentNames as readonly string[]).includes(name);
}
