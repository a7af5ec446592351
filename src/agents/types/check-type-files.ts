import { readAgentTypes } from "./find-agent-type.ts";

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
    findings: problems.map(({ path, reason }) => ({ text: `${path}: ${reason}`, path })),
  };
}
