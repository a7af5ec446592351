import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../format/json-object.ts";
import { pathBelow } from "../../lib/path-below.ts";
import type { PermissionPolicy, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import type { RunnerRequest } from "../../tasks/ports.ts";
import { runnerError } from "../runners/errors.ts";
import { findAgent, isAgentName, knownByCommand } from "../runners/find-agents.ts";
import { requireFence } from "../runners/require-fence.ts";
import type { RunnerModule } from "../runners/module/index.ts";

/** How a caller says who drives an agent: a runner of ours by its name, or one of his own by its module. */
export type RunnerChoice = RunnerSpec | RunnerModule;

/**
 * The runner as it is recorded, so that any process can load it. One of the caller's is loaded once, to see that it can be.
 * Throws `runner_invalid` for what is no runner.
 */
export async function checkRunner(choice: RunnerChoice, cwd: string): Promise<RunnerSpec> {
  if (!isModule(choice)) return choice;
  const { options } = choice;
  // A path is meant from the agent's folder; a package is found from there by every process.
  const module = choice.module.startsWith(".") ? path.resolve(cwd, choice.module) : choice.module;
  const { loadModuleRunner } = await import("../runners/module/index.ts");
  await loadModuleRunner({ module, options }, cwd);
  return { name: "module", module, ...(options && { options }) };
}

/**
 * The runner as another machine would be told of it: a file of the folder by its place there, which is sent along. Throws
 * `runner_invalid` for what is no runner, and for a file that is not there.
 */
export function portableRunner(choice: RunnerChoice, cwd: string): RunnerSpec {
  if (!isModule(choice)) return choice;
  const { module, options } = choice;
  const inside = path.isAbsolute(module) ? pathBelow(cwd, module) : undefined;
  const portable = inside === undefined ? module : `./${inside}`;
  if (portable.startsWith(".") && !fs.existsSync(path.resolve(cwd, portable)))
    throw runnerError("runner_invalid", `Cannot use runner "${module}": there is no such file`);
  return { name: "module", module: portable, ...(options && { options }) };
}

/** Throws `agent_unfenced` where an agent would be started that asks nobody, though it should. */
export function checkFence(
  { name, agent, command }: RunnerSpec,
  { permission, env }: { permission: PermissionPolicy | undefined; env: RunnerRequest["env"] },
): void {
  if (name !== "acp") return;
  const found = agent === undefined ? undefined : findAgent(agent, { path: env["PATH"] });
  const { fence } = found?.start ?? knownByCommand(command ?? "");
  requireFence({ name: agent ?? command ?? "", fence }, permission);
}

const names: ReadonlySet<unknown> = new Set(["anthropic", "acp", "stream-json", "scripted"]);

function isModule(choice: RunnerChoice): choice is RunnerModule {
  const why = whatIsWrong(choice);
  if (why !== undefined) throw runnerError("runner_invalid", `Cannot run agent: ${why}`);
  return choice.module !== undefined;
}

function whatIsWrong(choice: unknown): string | undefined {
  if (!isJsonObject(choice)) return "it has no runner";
  const { name, agent, command, script, module, options } = choice;
  if (module !== undefined || name === "module") {
    if (typeof module !== "string" || module === "") return "the module of its runner is not a path or name";
    return options === undefined || isPlain(options)
      ? undefined
      : "the options of its runner are not a JSON object";
  }
  if (!names.has(name)) return `${JSON.stringify(name) ?? "nothing"} is no runner`;
  if (name === "scripted" && typeof script !== "string") return "its runner has no script";
  if (name !== "acp" && name !== "stream-json") return undefined;
  const isKnown = typeof agent === "string" && isAgentName(agent);
  const isCommand = typeof command === "string" && command !== "";
  if (agent === undefined ? isCommand : isKnown) return undefined;
  return agent === undefined ? "its runner has no command" : `${JSON.stringify(agent)} is not a known agent`;
}

function isPlain(options: unknown): boolean {
  try {
    return isJsonObject(options) && isJsonObject(JSON.parse(JSON.stringify(options)));
  } catch {
    return false;
  }
}
