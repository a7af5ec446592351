import type { PermissionPolicy } from "../../../tasks/kinds/agent/agent-settings.ts";
import {
  judge,
  ruleFor,
  type PermissionRules,
  type RulePlace,
} from "../../../tasks/kinds/agent/permission/permission-rule.ts";
import type { PermissionAnswer, PermissionRequest } from "../../../tasks/ports.ts";

export interface PermissionGateOptions {
  policy: PermissionPolicy;
  rules: PermissionRules;
  place: RulePlace;
  onAsked: (request: PermissionRequest) => void;
  onAnswered: (toolUseId: string) => void;
}

/** Answers whether tools may run: by the policy, by what was always allowed in this conversation, or by the person. */
export class PermissionGate {
  readonly #options: PermissionGateOptions;
  readonly #waiting = new Map<string, (answer: PermissionAnswer) => void>();
  #allowed: string[] = [];

  constructor(options: PermissionGateOptions) {
    this.#options = options;
  }

  async ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
    const atOnce = this.#answerAtOnce(request);
    if (atOnce) return atOnce;
    signal.throwIfAborted();
    const { toolUseId } = request;
    let onAbort = (): void => {};
    const answered = new Promise<PermissionAnswer>((resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      this.#waiting.set(toolUseId, resolve);
    });
    signal.addEventListener("abort", onAbort, { once: true });
    this.#options.onAsked(request);
    try {
      const answer = await answered;
      if (answer.behavior === "allow" && answer.always) this.#allowed.push(ruleFor(request));
      return answer;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(toolUseId);
      this.#options.onAnswered(toolUseId);
    }
  }

  answer(toolUseId: string, answer: "yes" | "no" | "always"): void {
    this.#waiting.get(toolUseId)?.(
      answer === "no"
        ? { behavior: "deny", message: "The user does not want this to be done; ask what to do instead" }
        : { behavior: "allow", always: answer === "always" },
    );
  }

  #answerAtOnce(request: PermissionRequest): PermissionAnswer | undefined {
    const { policy, rules, place } = this.#options;
    if (policy === "allow") return { behavior: "allow" };
    if (policy === "deny")
      return { behavior: "deny", message: "This conversation may not use tools that need permission" };
    const verdict = judge(request, { ...rules, allow: [...rules.allow, ...this.#allowed] }, place);
    if (verdict === "deny") return { behavior: "deny", message: `The settings deny ${request.tool} here` };
    return verdict === "allow" ? { behavior: "allow" } : undefined;
  }
}
