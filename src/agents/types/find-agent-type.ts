import { open } from "node:fs/promises";
import path from "node:path";
import { agentTypeBytesMax, agentTypesMax } from "./limits.ts";
import { namesIn } from "../../lib/names-in.ts";
import { taskError } from "../../tasks/errors.ts";
import type { AgentType, AgentTypeProblem } from "./agent-type.ts";
import { builtInAgentTypes } from "./built-in.ts";
import { parseAgentType } from "./parse-agent-type.ts";

export interface AgentTypes {
  /** By name; a project's own before the user's, and both before the built-in one of the same name. */
  types: AgentType[];
  /** Files that could not be used; nothing else suffers from them. */
  problems: AgentTypeProblem[];
}

/** The agent types that a project has: `.claude/agents` of its folder, `agents` of the user, and the built-in ones. */
export async function readAgentTypes({
  cwd,
  configDir,
}: {
  cwd: string;
  configDir: string;
}): Promise<AgentTypes> {
  const problems: AgentTypeProblem[] = [];
  const project = await readFolder(path.join(cwd, ".claude", "agents"), "project", problems);
  const user = await readFolder(path.join(configDir, "agents"), "user", problems);
  const byName = new Map<string, AgentType>();
  for (const type of [...project, ...user, ...builtInAgentTypes]) {
    if (!byName.has(type.name)) byName.set(type.name, type);
  }
  const types = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { types, problems };
}

/** The agent type of this name. Throws `task_refused`, with the names there are. */
export async function getAgentType(
  name: string,
  where: { cwd: string; configDir: string },
): Promise<AgentType> {
  const { types, problems } = await readAgentTypes(where);
  const found = types.find((type) => type.name === name);
  if (found) return found;
  const names = types.map((type) => type.name);
  const broken = problems.find(({ path: file }) => path.basename(file, ".md") === name);
  const why = broken ? `${broken.path}: ${broken.reason}` : `the types are ${names.join(", ")}`;
  throw taskError("task_refused", `Cannot find agent type "${name}": ${why}`, { fields: { names } });
}

export interface CheckedTypeFiles {
  status: "ok" | "warn";
  summary: string;
  findings?: { text: string; path: string }[];
}

/** Whether every file that describes a type of agent can be used: one that cannot is missing from the choice, silently. */
export async function checkTypeFiles(where: { cwd: string; configDir: string }): Promise<CheckedTypeFiles> {
  const { problems } = await readAgentTypes(where);
  if (problems.length === 0) return { status: "ok", summary: "all files of agent types can be used" };
  return {
    status: "warn",
    summary: `${problems.length} ${problems.length === 1 ? "file" : "files"} of agent types cannot be used`,
    findings: problems.map(({ path: file, reason }) => ({ text: `${file}: ${reason}`, path: file })),
  };
}

async function readFolder(
  dir: string,
  source: "project" | "user",
  problems: AgentTypeProblem[],
): Promise<AgentType[]> {
  const names = listMarkdown(dir, problems);
  const types: AgentType[] = [];
  for (const name of names) {
    const file = path.join(dir, name);
    const read = await readBounded(file);
    const parsed = "reason" in read ? read : await parseAgentType(read.text);
    if ("reason" in parsed) problems.push({ path: file, reason: parsed.reason });
    else types.push({ ...parsed, source, path: file });
  }
  return types;
}

function listMarkdown(dir: string, problems: AgentTypeProblem[]): string[] {
  const report = (reason: string): unknown => problems.push({ path: dir, reason });
  const names = namesIn(dir, (_, { message }) => report(message))
    .filter((name) => name.endsWith(".md"))
    .sort();
  if (names.length > agentTypesMax)
    report(`only the first ${agentTypesMax} of ${names.length} files are read`);
  return names.slice(0, agentTypesMax);
}

async function readBounded(file: string): Promise<{ text: string } | { reason: string }> {
  try {
    const handle = await open(file, "r");
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return { reason: "it is no file" };
      if (stat.size > agentTypeBytesMax)
        return { reason: `it has ${stat.size} bytes, too many for an agent type` };
      return { text: await handle.readFile("utf8") };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { reason: (error as Error).message };
  }
}
