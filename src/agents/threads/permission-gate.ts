import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import { judge, ruleFor, type PermissionRules, type RulePlace } from "../host/permission-rule.ts";
import type { PermissionAnswer, PermissionRequest } from "../../tasks/ports.ts";

export interface PermissionGateOptions {
  policy: PermissionPolicy;
  rules: PermissionRules;
  place: RulePlace;
  onAsked: (request: PermissionRequest) => void;
  onAnswered: (toolUseId: string) => void;
}

type Asker = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;

interface Question {
  request: PermissionRequest;
  answer: (answer: PermissionAnswer) => void;
  /** Comes when it is answered or given up. */
  over: AbortController;
}

/** Answers whether tools may run: by the policy, by what was always allowed in this conversation, or by the person. */
export class PermissionGate {
  readonly #options: PermissionGateOptions;
  readonly #questions = new Map<string, Question>();
  #elsewhere: Asker | undefined;
  #allowed: string[] = [];

  constructor(options: PermissionGateOptions) {
    this.#options = options;
  }

  async ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
    const atOnce = this.#answerAtOnce(request);
    if (atOnce) return atOnce;
    signal.throwIfAborted();
    const over = new AbortController();
    const onAbort = (): void => over.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const answered = new Promise<PermissionAnswer>((resolve, reject) => {
      over.signal.addEventListener("abort", () => reject(over.signal.reason as Error), { once: true });
      const question = { request, answer: resolve, over };
      this.#questions.set(request.toolUseId, question);
      this.#askElsewhere(question);
    });
    this.#options.onAsked(request);
    try {
      const answer = await answered;
      if (answer.behavior === "allow" && answer.always) this.#allowed.push(ruleFor(request));
      return answer;
    } finally {
      signal.removeEventListener("abort", onAbort);
      over.abort();
      this.#questions.delete(request.toolUseId);
      this.#options.onAnswered(request.toolUseId);
    }
  }

  answer(toolUseId: string, answer: "yes" | "no" | "always"): void {
    this.#questions.get(toolUseId)?.answer(permissionAnswer(answer));
  }

  /** From now on somebody else is asked, too: the first answer counts. */
  alsoAsk(asker: Asker): void {
    this.#elsewhere = asker;
    for (const question of this.#questions.values()) this.#askElsewhere(question);
  }

  // That it was given up there, or cannot be asked, leaves the question to the person here.
  #askElsewhere({ request, answer, over }: Question): void {
    this.#elsewhere?.(request, over.signal).then(answer, () => {});
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

/** What a person answered, as an agent is told it. */
export function permissionAnswer(answer: "yes" | "no" | "always"): PermissionAnswer {
  if (answer !== "no") return { behavior: "allow", always: answer === "always" };
  return { behavior: "deny", message: "The user does not want this to be done; ask what to do instead" };
}
