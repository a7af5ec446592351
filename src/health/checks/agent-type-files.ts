import type { HealthCheck } from "../health-check.ts";

/** Whether every file that describes a type of agent can be used: one that cannot is missing from the choice, silently. */
export const agentTypeFiles: HealthCheck = {
  name: "agent-types",
  group: "environment",
  async run({ cwd, configDir }) {
    const { readAgentTypes } = await import("../../agents/types/index.ts");
    const { problems } = await readAgentTypes({ cwd, configDir });
    if (problems.length === 0) return { status: "ok", summary: "all files of agent types can be used" };
    return {
      status: "warn",
      summary: `${problems.length} ${problems.length === 1 ? "file" : "files"} of agent types cannot be used`,
      findings: problems.map(({ path, reason }) => ({ text: `${path}: ${reason}`, path })),
    };
  },
};
