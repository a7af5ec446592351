import type { SentControl } from "../transport/controls.ts";
import type { ClaimedRun } from "./handle-run.ts";
import type { SentMessage } from "../../tasks/kinds/agent/inbox.ts";
import type { PermissionAnswer } from "../../tasks/ports.ts";

/** Why a run was ended from outside. */
export interface StopOrder {
  by: string;
  reason?: string;
}

export interface ControlPorts {
  onStop(order: StopOrder): void;
  onAnswer(requestId: string, answer: PermissionAnswer): void;
  /** Whether a message is in the transcript already. */
  isSaid(id: string): boolean;
}

/**
 * Obeys what is told to a run, and says in the log how far it has: a control counts as obeyed only when all before it are,
 * so that the next worker misses none.
 */
export class RunControls {
  readonly #run: ClaimedRun;
  readonly #ports: ControlPorts;
  readonly #open = new Set<number>();
  #messages: (SentMessage & { sequence: number })[] = [];
  #seen = 0;
  #recorded = 0;

  constructor(run: ClaimedRun, ports: ControlPorts) {
    this.#run = run;
    this.#ports = ports;
  }

  /** Follows until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const sent of this.#run.controls(signal)) {
      this.#seen = sent.sequence;
      this.#open.add(sent.sequence);
      if (this.#obey(sent)) await this.#obeyed(sent.sequence);
    }
  }

  /** What was said to the agent and is not in the transcript yet. */
  get messages(): SentMessage[] {
    return this.#messages.map(({ id, text }) => ({ id, text }));
  }

  /** A message is in the transcript now. */
  forget({ id }: SentMessage): void {
    const taken = this.#messages.filter((message) => message.id === id);
    this.#messages = this.#messages.filter((message) => message.id !== id);
    for (const { sequence } of taken) void this.#obeyed(sequence).catch(() => {});
  }

  // False when it will be obeyed later.
  #obey({ sequence, control }: SentControl): boolean {
    switch (control.kind) {
      case "stop": {
        const { kind: _, ...order } = control;
        this.#ports.onStop(order);
        return true;
      }
      case "bring-home":
        this.#ports.onStop({ by: control.by, reason: "brought home" });
        return true;
      case "answer":
        this.#ports.onAnswer(control.requestId, control.answer);
        return true;
      case "say":
        if (this.#ports.isSaid(control.id)) return true;
        this.#messages.push({ id: control.id, text: control.text, sequence });
        return false;
    }
  }

  async #obeyed(sequence: number): Promise<void> {
    this.#open.delete(sequence);
    const upTo = this.#open.size === 0 ? this.#seen : Math.min(...this.#open) - 1;
    if (upTo <= this.#recorded) return;
    this.#recorded = upTo;
    await this.#run.append({ kind: "controlled", sequence: upTo });
  }
}
