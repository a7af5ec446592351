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

interface KnownStart {
  program: string;
  start: (command: string) => AgentStart;
}

const acp =
  (...args: string[]) =>
  (command: string): AgentStart => ({ runner: "acp", command, args });
const streamJson =
  (dialect: "claude" | "codex") =>
  (command: string): AgentStart => ({ runner: "stream-json", command, args: [], dialect });

// The first program that is there wins. Claude's own lines are the transcript's shape already, so it needs no adapter;
// Codex can ask for permission only through its adapter.
const starts: Record<AgentName, readonly KnownStart[]> = {
  claude: [
    { program: "claude", start: streamJson("claude") },
    { program: "claude-agent-acp", start: acp() },
  ],
  codex: [
    { program: "codex-acp", start: acp() },
    { program: "codex", start: streamJson("codex") },
  ],
  gemini: [{ program: "gemini", start: acp("--acp") }],
  opencode: [{ program: "opencode", start: acp("acp") }],
};

/** The agents on a PATH, in the order of `agentNames`. */
export function findAgents(options: { path: string | undefined }): FoundAgent[] {
  return agentNames.flatMap((name) => findAgent(name, options) ?? []);
}

export function findAgent(
  name: AgentName,
  { path: searchPath }: { path: string | undefined },
): FoundAgent | undefined {
  for (const { program, start } of starts[name]) {
    const [file] = findPrograms(program, searchPath);
    if (file !== undefined) return { name, program: file, start: start(file) };
  }
  return undefined;
}

/** The programs that would make an agent available, for who has none of them. */
export function programsOf(name: AgentName): string[] {
  return starts[name].map(({ program }) => program);
}

export function isAgentName(name: string): name is AgentName {
  return (agentNames as readonly string[]).includes(name);
}
