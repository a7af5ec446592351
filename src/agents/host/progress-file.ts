import { agentProgressMs } from "../../tasks/kinds/agent/limits.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import { touchTask } from "../../tasks/record/touch-task.ts";
import { readProgress, type AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import { ProgressCounter } from "./progress-counter.ts";

/**
 * Shows an agent's progress to others: the first change at once, later ones a few times a second, and at once what
 * somebody waits for, a question or its answer.
 */
export class ProgressFile {
  readonly #files: TaskFiles;
  /** Reads what has not been written yet. */
  #read: (() => AgentProgress) | undefined;
  #written: AgentProgress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBackgrounded: boolean | undefined;

  constructor(files: TaskFiles) {
    this.#files = files;
  }

  show(read: () => AgentProgress, { isAwaited }: { isAwaited: boolean }): void {
    this.#read = read;
    if (isAwaited) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), this.#written ? agentProgressMs : 0);
  }

  /** Says whether a main session is in the background, at once. */
  setBackgrounded(isBackgrounded: boolean): void {
    this.#isBackgrounded = isBackgrounded;
    // Also of one that has said nothing yet.
    this.#written ??=
      readProgress(this.#files) ?? new ProgressCounter().progress({ at: new Date().toISOString() });
    this.#write();
  }

  /** Writes what has not been written yet. */
  close(): void {
    if (this.#read) this.#write();
    clearTimeout(this.#timer);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#read?.() ?? this.#written;
    this.#read = undefined;
    const mark = this.#isBackgrounded === undefined ? {} : { isBackgrounded: this.#isBackgrounded };
    try {
      writeFileAtomic(this.#files.progress, `${JSON.stringify({ ...this.#written, ...mark })}\n`, {
        isDurable: false,
      });
    } catch {
      /* On a full disk nobody sees how far it is, but it goes on; its transcript says whether that is possible. */
    }
    touchTask(this.#files);
  }
}
