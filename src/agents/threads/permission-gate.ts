import type { PermissionAnswer, PermissionRequest } from "../../tasks/ports.ts";
import type { AgentHostPorts } from "../host/drive-runner.ts";
import type { PermissionJudge } from "../host/permission-judge.ts";

export interface PermissionGateOptions {
  judge: PermissionJudge;
  onAsked: (request: PermissionRequest) => void;
  onAnswered: (toolUseId: string) => void;
}

type Asker = AgentHostPorts["askPermission"];

interface Question extends Pick<Parameters<Asker>[1], "onNeeded"> {
  request: PermissionRequest;
  answer: (answer: PermissionAnswer) => void;
  /** Comes when it is answered or given up. */
  over: AbortController;
}

/** Answers whether the tools of a conversation may run: by its judge, or by the person; each question by its tool use. */
export class PermissionGate {
  readonly #options: PermissionGateOptions;
  readonly #questions = new Map<string, Question>();
  #elsewhere: Asker | undefined;

  constructor(options: PermissionGateOptions) {
    this.#options = options;
  }

  /** Somebody has to answer. */
  get isAsking(): boolean {
    return this.#questions.size > 0;
  }

  readonly ask: Asker = async (request, { signal, onNeeded }) => {
    const atOnce = await this.#options.judge.decide(request);
    if (atOnce) return atOnce;
    signal.throwIfAborted();
    const over = new AbortController();
    const onAbort = (): void => over.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const answered = new Promise<PermissionAnswer>((resolve, reject) => {
      over.signal.addEventListener("abort", () => reject(over.signal.reason as Error), { once: true });
      const question = { request, answer: resolve, over, onNeeded };
      this.#questions.set(request.toolUseId, question);
      this.#askElsewhere(question);
    });
    this.#options.onAsked(request);
    try {
      const answer = await answered;
      if (answer.behavior === "allow" && answer.always) await this.#options.judge.approve(request);
      return answer;
    } finally {
      signal.removeEventListener("abort", onAbort);
      over.abort();
      this.#questions.delete(request.toolUseId);
      this.#options.onAnswered(request.toolUseId);
    }
  };

  answer(toolUseId: string, answer: "yes" | "no" | "always"): void {
    this.#questions.get(toolUseId)?.answer(permissionAnswer(answer));
  }

  /** From now on somebody else is asked, too: the first answer counts. Nobody else when undefined. */
  alsoAsk(asker: Asker | undefined): void {
    this.#elsewhere = asker;
    for (const question of this.#questions.values()) this.#askElsewhere(question);
  }

  // That it was given up there, or cannot be asked, leaves the question to the person here.
  #askElsewhere({ request, answer, over, onNeeded }: Question): void {
    this.#elsewhere?.(request, { signal: over.signal, onNeeded }).then(answer, () => {});
  }
}

/** What a person answered, as an agent is told it. */
export function permissionAnswer(answer: "yes" | "no" | "always"): PermissionAnswer {
  if (answer !== "no") return { behavior: "allow", always: answer === "always" };
  return { behavior: "deny", message: "The user refused this; ask what to do instead" };
}
