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
 * so that the next worker misses none. What ends the run is obeyed when the run has ended, and not before: if this worker
 * dies meanwhile, the next one hears it again, before it does anything.
 */
export class RunControls {
  readonly #run: ClaimedRun;
  readonly #ports: ControlPorts;
  /** Of those that name the run, and of those that name none. */
  readonly #lines: readonly [ControlLine, ControlLine];
  #messages: (SentMessage & { sequence: number; line: ControlLine })[] = [];
  constructor(run: ClaimedRun, ports: ControlPorts) {
    this.#run = run;
    this.#ports = ports;
    this.#lines = [newLine(run.request.run), newLine(undefined)];
  }

  /** Resolves when everything was obeyed that had been sent when the following began. */
  async caughtUp(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.caughtUp));
  }

  /** Follows until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      await Promise.all(this.#lines.map((line) => this.#followLine(line, signal)));
    } finally {
      // Nobody waits for what does not come any more.
      for (const { onCaughtUp } of this.#lines) onCaughtUp();
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
    for (const { line, sequence } of taken) void this.#obeyed(line, sequence).catch(() => {});
  }

  async #followLine(line: ControlLine, signal: AbortSignal): Promise<void> {
    const { run, onCaughtUp } = line;
    for await (const sent of this.#run.controls({ namesRun: run !== undefined, signal, onCaughtUp })) {
      line.seen = sent.sequence;
      line.open.add(sent.sequence);
      if (this.#obey(line, sent)) await this.#obeyed(line, sent.sequence);
    }
  }

  // False when it is obeyed later.
  #obey(line: ControlLine, { sequence, control }: SentControl): boolean {
    switch (control.kind) {
      case "stop": {
        const { kind: _, ...order } = control;
        this.#ports.onStop(order);
        return false;
      }
      case "bring-home":
        this.#ports.onStop({ by: control.by, reason: "brought home" });
        return false;
      case "answer":
        this.#ports.onAnswer(control.requestId, control.answer);
        return true;
      case "say":
        if (this.#ports.isSaid(control.id)) return true;
        this.#messages.push({ id: control.id, text: control.text, sequence, line });
        return false;
    }
  }

  async #obeyed(line: ControlLine, sequence: number): Promise<void> {
    const { run, open } = line;
    open.delete(sequence);
    const upTo = open.size === 0 ? line.seen : Math.min(...open) - 1;
    if (upTo <= line.recorded) return;
    line.recorded = upTo;
    await this.#run.append({ kind: "controlled", sequence: upTo, ...(run !== undefined && { run }) });
  }
}

/** Controls of one subject, which have an order. */
interface ControlLine {
  run: number | undefined;
  /** Those that are not obeyed yet. */
  open: Set<number>;
  seen: number;
  recorded: number;
  caughtUp: Promise<void>;
  onCaughtUp: () => void;
}

function newLine(run: number | undefined): ControlLine {
  let onCaughtUp = (): void => {};
  const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));
  return { run, open: new Set(), seen: 0, recorded: 0, caughtUp, onCaughtUp };
}
