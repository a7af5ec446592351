import {
  findAgent,
  isAgentName,
  knownByCommand,
  programsOf,
  type AgentStart,
} from "./runners/find-agents.ts";
import type { RunnerSpec } from "../tasks/kinds/agent/agent-settings.ts";
import type { Runner } from "../tasks/ports.ts";

/**
 * The runner that a record names. It is loaded, and the program behind it looked for, when it is first asked for an
 * event: what cannot be run is then told as why the agent failed.
 */
export function loadRunner(spec: RunnerSpec): Runner {
  return async function* (request, signal) {
    const runner = await runnerOf(spec, { cwd: request.cwd, searchPath: request.env["PATH"] });
    return yield* runner(request, signal);
  };
}

async function runnerOf(
  spec: RunnerSpec,
  { cwd, searchPath }: { cwd: string; searchPath: string | undefined },
): Promise<Runner> {
  switch (spec.name) {
    case "anthropic": {
      const { anthropicRunner } = await import("./runners/anthropic/index.ts");
      return anthropicRunner({ baseUrl: spec.baseUrl });
    }
    case "scripted": {
      const { scriptedRunner } = await import("./runners/scripted/index.ts");
      return scriptedRunner({ script: spec.script ?? "" });
    }
    case "module": {
      const { loadModuleRunner } = await import("./runners/module/index.ts");
      return loadModuleRunner({ module: spec.module ?? "", options: spec.options }, cwd);
    }
    case "acp":
    case "stream-json":
      return spec.agent === undefined
        ? runnerOfCommand(spec)
        : runnerOfStart({ ...agentStart(spec.agent, searchPath), name: spec.agent });
  }
}

async function runnerOfStart(start: AgentStart): Promise<Runner> {
  if (start.runner === "acp") {
    const { acpRunner } = await import("./runners/acp/index.ts");
    return acpRunner(start);
  }
  const { streamJsonRunner } = await import("./runners/stream-json/index.ts");
  return streamJsonRunner(start);
}

// As a shell would start it, without a shell that stays in between.
async function runnerOfCommand({ name, command = "" }: RunnerSpec): Promise<Runner> {
  const start = { command: "/bin/sh", args: ["-c", `exec ${command}`], name: command };
  if (name === "acp") {
    const { acpRunner } = await import("./runners/acp/index.ts");
    return acpRunner({ ...start, ...knownByCommand(command) });
  }
  const { plainMapping, streamJsonRunner } = await import("./runners/stream-json/index.ts");
  return streamJsonRunner({ ...start, dialect: { mapping: plainMapping } });
}

function agentStart(agent: string, searchPath: string | undefined): AgentStart {
  if (!isAgentName(agent)) throw new Error(`Cannot run agent "${agent}": it is not a known agent`);
  const found = findAgent(agent, { path: searchPath });
  if (found) return found.start;
  throw new Error(`Cannot run agent "${agent}": none of ${programsOf(agent).join(", ")} is on the PATH`);
}
