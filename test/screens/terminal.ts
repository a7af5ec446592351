import { execFileSync } from "node:child_process";
import { waitFor } from "../support/wait-for.ts";

export interface TerminalOptions {
  columns: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
  /** The program and its arguments. */
  command: readonly string[];
}

/** A program at a real terminal: a server of tmux of its own, which ends with it. */
export class Terminal implements Disposable {
  readonly #socket: string;

  constructor({ columns, rows, cwd, env, command }: TerminalOptions) {
    this.#socket = `holdfast-screens-${process.pid}-${++opened}`;
    const size = ["-x", String(columns), "-y", String(rows)];
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    this.#tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      ...size,
      "-c",
      cwd,
      "env",
      "-i",
      ...variables,
      ...command,
    );
    this.#tmux("set-option", "-g", "status", "off");
    // The line of the status was the terminal's last one.
    this.#tmux("resize-window", ...size);
  }

  /** Presses keys by tmux's names of them (`Enter`, `C-b`). */
  press(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  /** What is on the screen, a line each, with the escapes of its colours. */
  frame(): string[] {
    return this.#tmux("capture-pane", "-e", "-p", "-N").replace(/\n$/, "").split("\n");
  }

  /** What is on the screen, without colours. */
  text(): string {
    return this.#tmux("capture-pane", "-p");
  }

  /** The process that was started. */
  get pid(): number {
    return Number(this.#tmux("display-message", "-p", "#{pane_pid}"));
  }

  /** Returns when the screen shows this. */
  async shows(pattern: RegExp): Promise<void> {
    try {
      await waitFor(() => pattern.test(this.text()), { timeoutMs: 60_000 });
    } catch (cause) {
      throw new Error(`The terminal never showed ${String(pattern)}:\n${this.text()}`, { cause });
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#tmux("kill-server");
    } catch {
      /* Its program has ended, and the server with it. */
    }
  }

  #tmux(...words: string[]): string {
    const env = { PATH: process.env["PATH"], HOME: "/", LANG: "C.UTF-8", TERM: "xterm-256color" };
    return execFileSync("tmux", ["-L", this.#socket, ...words], { encoding: "utf8", env, stdio: "pipe" });
  }
}

let opened = 0;
