import { isJsonObject } from "../../format/json-object.ts";
import { readSettings } from "../../store/companions/settings.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import type { PermissionAnswer, PermissionRequest, RunnerRequest } from "../../tasks/ports.ts";
import type { PermissionRules } from "../rules/judge-request.ts";
import { openRulePlace, type RulePlaceOptions } from "../rules/rule-place.ts";

export interface JudgeOptions {
  policy: PermissionPolicy;
  configDir: string;
  place: RulePlaceOptions;
  /** What somebody has allowed this agent for good, literally. */
  approved?: readonly string[];
}

/** Decides about the tools of one agent before anybody is asked: by its policy, the client's settings, what was allowed. */
export class PermissionJudge {
  #policy: PermissionPolicy;
  #rules: Omit<PermissionRules, "approved">;
  readonly #configDir: string;
  readonly #options: RulePlaceOptions;
  #approved: readonly string[];

  constructor({ policy, configDir, place, approved = [] }: JudgeOptions) {
    this.#policy = policy;
    this.#rules = permissionRules(policy, { configDir, cwd: place.cwd });
    this.#configDir = configDir;
    this.#options = place;
    this.#approved = approved;
  }

  /** What somebody has allowed for good, as rules. */
  get approved(): readonly string[] {
    return this.#approved;
  }

  get policy(): PermissionPolicy {
    return this.#policy;
  }

  /** Decides otherwise from now on; what was allowed for good stays allowed where somebody would be asked. */
  setPolicy(policy: PermissionPolicy): void {
    this.#policy = policy;
    this.#rules = permissionRules(policy, { configDir: this.#configDir, cwd: this.#options.cwd });
  }

  /** Undefined when somebody must be asked. */
  async decide(request: PermissionRequest): Promise<PermissionAnswer | undefined> {
    if (this.#policy === "allow") return { behavior: "allow" };
    if (this.#policy === "deny")
      return { behavior: "deny", message: "This run may not use tools that need permission" };
    const verdict = await this.#judge(request);
    if (verdict === "deny") return { behavior: "deny", message: denial(request) };
    return verdict === "allow" ? { behavior: "allow" } : undefined;
  }

  /** What the rules forbid also to tools for which nobody is asked; absent when they forbid nothing. */
  get whyDenied(): NonNullable<RunnerRequest["whyDenied"]> | undefined {
    if (this.#rules.deny.length === 0) return undefined;
    return async (request) => ((await this.#judge(request)) === "deny" ? denial(request) : undefined);
  }

  /** Allows exactly what was asked for from now on. Returns everything that was allowed so. */
  async approve(request: PermissionRequest): Promise<readonly string[]> {
    const { approvalOf } = await import("../rules/judge-request.ts");
    const approval = approvalOf(request);
    // What nobody can see again is asked again.
    if (approval !== undefined) this.#approved = [...this.#approved, approval];
    return this.#approved;
  }

  // The folder is looked at anew each time: what it is called may lead elsewhere by now.
  async #judge(request: PermissionRequest): Promise<"allow" | "deny" | "ask" | undefined> {
    const { judge } = await import("../rules/judge-request.ts");
    return judge(request, { ...this.#rules, approved: this.#approved }, openRulePlace(this.#options));
  }
}

function denial({ tool }: PermissionRequest): string {
  return `The settings deny ${tool} here`;
}

function permissionRules(
  policy: PermissionPolicy,
  { configDir, cwd }: { configDir: string; cwd: string },
): Omit<PermissionRules, "approved"> {
  if (policy !== "rules") return { allow: [], deny: [], ask: [] };
  const { permissions } = readSettings({ configDir, cwd }).values;
  const list = (name: string): string[] => {
    const rules = isJsonObject(permissions) ? permissions[name] : undefined;
    return Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  };
  return { allow: list("allow"), deny: list("deny"), ask: list("ask") };
}
