import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Script, ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import { tempDir, waitFor, type TestHome } from "../support/index.ts";
import type { TaskHome } from "./task-cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const compiled = fileURLToPath(new URL("../../.cache/compiled-for-tests", import.meta.url));
const run = promisify(execFile);

/** A real terminal that a chat sits at. Disposing of it ends whatever still runs there. */
export interface ChatTerminal extends AsyncDisposable {
  /** What the window shows, without empty lines at the end. */
  screen(): Promise<string[]>;
  /** The same with the escapes that colour it. */
  colors(): Promise<string>;
  /** Everything that was ever printed and has not been cleared, the lines that scrolled away first. */
  history(): Promise<string>;
  type(text: string): Promise<void>;
  /** Types it and presses Enter. */
  say(text: string): Promise<void>;
  /** Pastes it as a terminal does. */
  paste(text: string): Promise<void>;
  /** By tmux's names: `C-b`, `Enter`, `Escape`, `Up`. */
  press(...keys: string[]): Promise<void>;
  shows(text: string | RegExp): Promise<void>;
  hides(text: string | RegExp): Promise<void>;
  resize(size: { columns: number; rows: number }): Promise<void>;
  cursor(): Promise<{ x: number; y: number }>;
  /** Waits for the end of the chat; its exit code. */
  ended(): Promise<number>;
}

export interface ChatTerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

const tmuxProgram = findTmux();
/** Whether this machine has what these tests drive a terminal with. Says so when it has not. */
export const hasTmux: boolean = tmuxProgram !== "";

function findTmux(): string {
  try {
    return execFileSync("/bin/sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();
  } catch {
    process.stderr.write("SKIPPED: the tests of terminals need tmux, which is not installed\n");
    return "";
  }
}

// Late on purpose: a loaded machine takes seconds to start the chat, and only a failing test waits this long.
const PATIENCE = { timeoutMs: 45_000 };

/** Starts `holdfast chat` in a terminal of its own. */
export function openChatTerminal(
  home: TaskHome,
  args: string[],
  options?: ChatTerminalOptions,
): Promise<ChatTerminal> {
  return openTerminal(home, [process.execPath, bin, "chat", ...args], options);
}

/** Starts any command of ours in one. */
export function openCommand(
  home: TestHome,
  args: string[],
  options?: ChatTerminalOptions,
): Promise<ChatTerminal> {
  return openTerminal(home, [process.execPath, bin, ...args], options);
}

/** Starts any program in one. */
export async function openTerminal(
  home: TestHome,
  words: string[],
  { columns = 80, rows = 24, env = {} }: ChatTerminalOptions = {},
): Promise<ChatTerminal> {
  const dir = tempDir();
  const config = path.join(dir, "tmux.conf");
  fs.writeFileSync(config, "set -g remain-on-exit on\nset -g status off\nset -g escape-time 0\n");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home.userHome,
    HOLDFAST_HOME: home.home,
    CLAUDE_CONFIG_DIR: home.configDir,
    NODE_COMPILE_CACHE: compiled,
    LANG: "C.UTF-8",
    LOGNAME: "tester",
    SHELL: "/bin/sh",
    TERM: "xterm-256color",
    ...env,
  };
  const tmux = async (...args: string[]): Promise<string> => {
    const server = ["-S", path.join(dir, "socket"), "-f", config];
    return (await run(tmuxProgram, [...server, ...args], { env: environment })).stdout;
  };
  const command = words.map(quoted).join(" ");
  const size = ["-x", String(columns), "-y", String(rows)];
  // tmux sometimes misses the end of a program; the shell around it does not, and outlives a Ctrl+C.
  const code = path.join(dir, "code");
  await tmux(
    "new-session",
    "-d",
    ...size,
    "-c",
    home.cwd,
    `trap : INT; ${command}; echo $? > ${quoted(code)}`,
  );
  const screen = async (): Promise<string[]> => (await tmux("capture-pane", "-p")).trimEnd().split("\n");
  const matches = async (text: string | RegExp): Promise<boolean> => {
    const shown = (await screen()).join("\n");
    return typeof text === "string" ? shown.includes(text) : text.test(shown);
  };
  const wait = async (isMet: () => Promise<boolean>, what: string): Promise<void> => {
    try {
      await waitFor(isMet, PATIENCE);
    } catch (cause) {
      throw new Error(`The screen ${what}:\n${(await screen()).join("\n")}`, { cause });
    }
  };
  const type = async (text: string): Promise<void> => void (await tmux("send-keys", "-l", "--", text));
  const press = async (...keys: string[]): Promise<void> => void (await tmux("send-keys", ...keys));
  return {
    screen,
    colors: () => tmux("capture-pane", "-p", "-e"),
    history: () => tmux("capture-pane", "-p", "-J", "-S", "-"),
    type,
    press,
    say: async (text) => {
      await type(text);
      await press("Enter");
    },
    async paste(text) {
      await tmux("set-buffer", "--", text);
      await tmux("paste-buffer", "-p");
    },
    shows: (text) => wait(() => matches(text), `never showed ${String(text)}`),
    hides: (text) => wait(async () => !(await matches(text)), `went on showing ${String(text)}`),
    async resize({ columns: x, rows: y }) {
      await tmux("resize-window", "-x", String(x), "-y", String(y));
    },
    async cursor() {
      const [x = "", y = ""] = (await tmux("display", "-p", "#{cursor_x} #{cursor_y}")).split(" ");
      return { x: Number(x), y: Number(y) };
    },
    async ended() {
      const noted = (): string => (fs.existsSync(code) ? fs.readFileSync(code, "utf8").trim() : "");
      await wait(async () => noted() !== "", "stayed after the end was asked for");
      return Number(noted());
    },
    async [Symbol.asyncDispose]() {
      const shell = (await tmux("display", "-p", "#{pane_pid}")).trim();
      const pids = [shell, ...childrenOf(shell)];
      await tmux("kill-server");
      await waitFor(() => pids.every((pid) => !fs.existsSync(`/proc/${pid}`)), PATIENCE);
    },
  };
}

function childrenOf(pid: string): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}

/** Writes what a scripted agent says to each prompt, and returns the arguments that play it. */
export function playing(prompts: Record<string, ScriptStep[]>): string[] {
  const file = path.join(tempDir(), "script.json");
  const script: Script = { steps: [{ text: "I have nothing to say to that." }], prompts };
  fs.writeFileSync(file, JSON.stringify(script));
  return ["--script", file];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
