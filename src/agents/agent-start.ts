import { parseDuration } from "../lib/parse-duration.ts";
import { storeError } from "../store/errors.ts";
import type { ConfigPlace } from "../store/config/read-config.ts";
import { narrowed } from "../store/config/project-config.ts";
import { settleConfig } from "../store/config/settle-config.ts";
import type { AgentLimits, PermissionPolicy } from "../tasks/kinds/agent/agent-settings.ts";
import type { AgentChoice, ChoicePlace } from "./choose-agent.ts";

/** What somebody asks for who starts an agent. */
export interface AskedOfAgent extends AgentChoice {
  model?: string | undefined;
  type?: string | undefined;
  permission?: PermissionPolicy | undefined;
  limits?: AgentLimits | undefined;
  timeoutMs?: number | undefined;
}

export interface AgentStart extends AgentChoice {
  model?: string | undefined;
  permission: PermissionPolicy;
  limits: AgentLimits;
  timeoutMs?: number | undefined;
}

/** What was asked for comes first, and then what is set; neither may be more than the settings of the folder allow. */
export function agentStart(
  place: ConfigPlace & { variables: ChoicePlace["variables"] },
  asked: AskedOfAgent,
  { cwd }: { cwd: string },
): AgentStart {
  const { settings, projects } = settleConfig(place, { cwd });
  const set = new Map(settings.map(({ key, value }) => [key, value]));
  const choose = <Value>(key: string, value: Value | undefined): Value | undefined => {
    if (value === undefined) return set.get(key) as Value | undefined;
    const { file, value: most } = narrowed(key, value, projects);
    if (file === undefined) return value;
    const message = `Cannot use ${key} ${String(value)}: "${file}" allows no more than ${String(most)}`;
    throw storeError("setting_refused", message, { fields: { key, path: file } });
  };
  const { limits = {}, timeoutMs, type } = asked;
  const { agent, command, script, runner } = asked;
  const isOther = [command, script, runner].some((named) => named !== undefined);
  const defaultAgent = isOther ? undefined : (set.get("agent") as string | undefined);
  // A model of one agent is none of another, and an agent type may have its own.
  const isDefault = !isOther && type === undefined && (agent === undefined || agent === defaultAgent);
  const timeout = choose("limits.timeout", timeoutMs === undefined ? undefined : `${timeoutMs}ms`);
  const maxTurns = choose("limits.maxTurns", limits.maxTurns);
  const maxTokens = choose("limits.maxTokens", limits.maxTokens);
  const maxCostUsd = choose("limits.maxCost", limits.maxCostUsd);
  const chosen = agent ?? defaultAgent;
  const model = asked.model ?? (isDefault ? (set.get("model") as string | undefined) : undefined);
  return {
    ...(chosen !== undefined && { agent: chosen }),
    ...(command !== undefined && { command }),
    ...(script !== undefined && { script }),
    ...(runner !== undefined && { runner }),
    ...(model !== undefined && { model }),
    permission: choose<PermissionPolicy>("permission", asked.permission)!,
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(maxCostUsd !== undefined && { maxCostUsd }),
    },
    ...(timeout !== undefined && { timeoutMs: parseDuration(timeout) }),
  };
}
