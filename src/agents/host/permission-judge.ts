import { isJsonObject } from "../../format/json-object.ts";
import { readSettings } from "../../store/companions/settings.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import type { PermissionAnswer, PermissionRequest } from "../../tasks/ports.ts";
import { judge, ruleFor, type PermissionRules, type RulePlace } from "./permission-rule.ts";

export interface JudgeOptions {
  policy: PermissionPolicy;
  configDir: string;
  place: RulePlace;
  /** Rules that somebody has added for this agent. */
  allowed?: readonly string[];
}

/** Decides about the tools of one agent before anybody is asked: by its policy, the client's settings, what was allowed. */
export class PermissionJudge {
  readonly #policy: PermissionPolicy;
  readonly #rules: PermissionRules;
  readonly #place: RulePlace;
  #allowed: readonly string[];

  constructor({ policy, configDir, place, allowed = [] }: JudgeOptions) {
    this.#policy = policy;
    this.#rules = permissionRules(policy, { configDir, cwd: place.cwd });
    this.#place = place;
    this.#allowed = allowed;
  }

  /** Undefined when somebody must be asked. */
  decide(request: PermissionRequest): PermissionAnswer | undefined {
    if (this.#policy === "allow") return { behavior: "allow" };
    if (this.#policy === "deny")
      return { behavior: "deny", message: "This run may not use tools that need permission" };
    const rules = { ...this.#rules, allow: [...this.#rules.allow, ...this.#allowed] };
    const verdict = judge(request, rules, this.#place);
    if (verdict === "deny") return { behavior: "deny", message: denial(request) };
    return verdict === "allow" ? { behavior: "allow" } : undefined;
  }

  /** What the rules forbid also to tools for which nobody is asked. */
  readonly whyDenied = (request: PermissionRequest): string | undefined =>
    judge(request, this.#rules, this.#place) === "deny" ? denial(request) : undefined;

  /** Allows what was asked for from now on. Returns everything that was allowed so. */
  allow(request: PermissionRequest): readonly string[] {
    this.#allowed = [...this.#allowed, ruleFor(request)];
    return this.#allowed;
  }
}

function denial({ tool }: PermissionRequest): string {
  return `The settings deny ${tool} here`;
}

const noRules: PermissionRules = { allow: [], deny: [], ask: [] };

function permissionRules(
  policy: PermissionPolicy,
  { configDir, cwd }: { configDir: string; cwd: string },
): PermissionRules {
  if (policy !== "rules") return noRules;
  const { permissions } = readSettings({ configDir, cwd }).values;
  const list = (name: string): string[] => {
    const rules = isJsonObject(permissions) ? permissions[name] : undefined;
    return Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  };
  return { allow: list("allow"), deny: list("deny"), ask: list("ask") };
}
