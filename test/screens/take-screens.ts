// What people see, kept to be looked at: `npm run screens` writes every screen as text and as a picture, and a page with all.
//   take-screens.ts FOLDER [PART_OF_A_NAME…]
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { sampleSession } from "../support/sample-session.ts";
import { sessionWithMarkdown } from "./session-with-markdown.ts";
import { screenSvg, type Theme } from "./screen-svg.ts";
import { Terminal } from "./terminal.ts";

interface Screen {
  name: string;
  words: string[];
  /** What shows that it is complete, for programs that stay. The others have ended when the prompt is back. */
  until?: RegExp;
  /** What is typed then, and what shows that this was answered. `⏎` presses Enter, `^O` Ctrl+O. */
  typed?: readonly [keys: string, until: RegExp][];
  /** Of the window, where all of it is to be seen. */
  rows?: number;
}

const [folder, ...wanted] = process.argv.slice(2) as [string, ...string[]];
const holdfast = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const ROWS = 40;
/** Some programs refuse some terminals. */
const ENDED = /\[ended: \d+\]/;
interface Look {
  name: string;
  columns: number;
  theme?: Theme;
  env?: Record<string, string>;
  /** Its output goes through a pipe to the terminal. */
  isPiped?: true;
}

const looks: Look[] = [
  { name: "60", columns: 60 },
  { name: "80", columns: 80 },
  { name: "120", columns: 120 },
  { name: "80-light", columns: 80, theme: "light" },
  { name: "80-no-color", columns: 80, env: { NO_COLOR: "1" } },
  { name: "80-dumb", columns: 80, env: { TERM: "dumb" } },
  { name: "80-ascii", columns: 80, env: { LC_ALL: "C", LANG: "C" } },
  { name: "80-piped", columns: 80, isPiped: true },
];

const user = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-screens-"));
const project = path.join(user, "shop");
const env = {
  PATH: `${path.join(user, "bin")}:${process.env["PATH"]}`,
  HOME: user,
  HOLDFAST_HOME: path.join(user, ".local", "state", "holdfast"),
  CLAUDE_CONFIG_DIR: path.join(user, ".claude"),
  LANG: "C.UTF-8",
  TERM: "xterm-256color",
  PS1: "$ ",
};

const { sessionId, script } = prepare();
const screens: Screen[] = [
  { name: "holdfast", words: [] },
  { name: "help-all", words: ["help", "--all"], rows: 130 },
  { name: "help-run", words: ["run", "--help"], rows: 60 },
  { name: "ps", words: ["ps"] },
  { name: "ps-all", words: ["ps", "-a"] },
  { name: "sessions", words: ["sessions"] },
  { name: "sessions-all", words: ["sessions", "--all"] },
  { name: "show", words: ["show", sessionId, "--no-pager"], rows: 60 },
  { name: "show-full", words: ["show", sessionId, "--full", "--no-pager"], rows: 60 },
  { name: "search", words: ["search", "parser"] },
  { name: "search-nothing", words: ["search", "nowhere"] },
  { name: "usage", words: ["usage"] },
  { name: "usage-task", words: ["usage", "--all", "--by", "session"] },
  { name: "doctor", words: ["doctor"], rows: 70 },
  { name: "recover", words: ["recover"] },
  { name: "notices", words: ["notices"] },
  { name: "logs", words: ["logs", "lint"] },
  { name: "top", words: ["top"], until: /rm -rf build\n[\s\S]*rm -rf build\n/ },
  { name: "chat", words: ["chat", "--script", script], until: /Ask anything/ },
  {
    name: "chat-talk",
    words: ["chat", "--script", script],
    until: /Ask anything/,
    typed: [
      ["Why is the cart empty?", /❯ Why|> Why/],
      ["⏎", /Allow|allow/],
      ["y", /adds strings/],
    ],
  },
  {
    name: "chat-unfolded",
    words: ["chat", "--script", script],
    until: /Ask anything/,
    typed: [
      ["Why is the cart empty?", /❯ Why|> Why/],
      ["⏎", /Allow|allow/],
      ["y", /adds strings/],
      ["^O", /Esc closes/],
    ],
  },
  {
    name: "chat-question",
    words: ["chat", "--script", script],
    until: /Ask anything/,
    typed: [
      ["Why is the cart empty?", /❯ Why|> Why/],
      ["⏎", /Allow|allow/],
    ],
  },
  {
    name: "chat-help",
    words: ["chat", "--script", script],
    until: /Ask anything/,
    typed: [
      ["/help", /[❯>] \/help/],
      ["⏎", /Ctrl\+_/],
    ],
  },
  { name: "inspect", words: ["inspect", "tests"] },
  { name: "inspect-agent", words: ["inspect", "remove"] },
  { name: "config", words: ["config"] },
  { name: "archive-list", words: ["archive", "list"] },
  { name: "pick-task", words: ["logs"], until: /Which task[\s\S]*rm -rf build/ },
  { name: "pick-session", words: ["show"], until: /Which session[\s\S]*[0-9a-f]{8} +\w+ +session/ },
  { name: "unknown", words: ["serch", "x"] },
  { name: "ambiguous", words: ["logs", "b"] },
  { name: "missing", words: ["fork", "5c03"] },
];
const taken: string[] = [];

fs.mkdirSync(folder, { recursive: true });
try {
  for (const screen of screens)
    if (wanted.length === 0 || wanted.some((part) => screen.name.includes(part)))
      for (const look of looks) await take(screen, look);
} finally {
  for (const { id } of (JSON.parse(run("holdfast", "ps", "--json")) as { tasks: { id: string }[] }).tasks)
    run("holdfast", "stop", id);
  fs.rmSync(user, { recursive: true, force: true });
}
const page = taken.map((name) => `<h2>${name}</h2><img src="${name}.svg" alt="${name}">`).join("\n");
fs.writeFileSync(
  path.join(folder, "index.html"),
  `<!doctype html><meta charset="utf-8"><title>Screens</title>\n${page}\n`,
);
process.stdout.write(`${taken.length} screens: ${path.join(folder, "index.html")}\n`);

async function take({ name, words, until, typed = [], rows = ROWS }: Screen, look: Look): Promise<void> {
  const size = { columns: look.columns, rows };
  const line = ["holdfast", ...words].join(" ");
  const piped = `{ ${line}; echo $? > "$HOME/code"; } | cat; code=$(cat "$HOME/code")`;
  const shown = look.isPiped ? piped : `${line}; code=$?`;
  const command = ["sh", "-c", `${shown}; echo; echo "[ended: $code]"; exec sleep 1000`];
  using terminal = new Terminal({ ...size, cwd: project, env: { ...env, ...look.env }, command });
  const shows = (pattern: RegExp): Promise<void> =>
    terminal.shows(new RegExp(`${pattern.source}|${ENDED.source}`));
  await shows(until ?? ENDED);
  for (const [keys, answered] of typed) {
    if (ENDED.test(terminal.text())) break;
    if (keys === "⏎") terminal.press("Enter");
    else if (keys.startsWith("^")) terminal.press(`C-${keys.slice(1).toLowerCase()}`);
    else terminal.type(keys);
    await shows(answered);
  }
  const file = path.join(folder, `${name}-${look.name}`);
  fs.writeFileSync(`${file}.txt`, terminal.text());
  fs.writeFileSync(`${file}.svg`, screenSvg([{ lines: terminal.frame(), ms: 0 }], size, look.theme));
  taken.push(path.basename(file));
}

// A project with two conversations, tasks that run, ended, failed, and an agent that asks.
function prepare(): { sessionId: string; script: string } {
  for (const dir of [project, path.join(user, "bin")]) fs.mkdirSync(dir, { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${holdfast}' "$@"\n`;
  fs.writeFileSync(path.join(user, "bin", "holdfast"), program, { mode: 0o755 });
  const write = (name: string, steps: object[]): string => {
    const file = path.join(user, `${name}.json`);
    fs.writeFileSync(file, JSON.stringify({ steps }));
    return file;
  };
  sampleSession({ cwd: project, sessionId: randomUUID() }).write(env.CLAUDE_CONFIG_DIR);
  const session = sessionWithMarkdown({ cwd: project });
  session.write(env.CLAUDE_CONFIG_DIR);
  run("holdfast", "run", "--wait", "--name", "build", "--", "echo built");
  run("holdfast", "run", "--wait", "--name", "lint", "--", "echo '3 errors in src/cart.ts'; exit 1");
  run("holdfast", "run", "--name", "tests", "--", "echo '12 of 40 tests'; exec sleep 1000");
  const asks = write("asks", [{ run: "rm -rf build" }]);
  run("holdfast", "agent", "--script", asks, "--name", "remove", "Remove the old build");
  const other = sampleSession({ cwd: path.join(user, "blog"), sessionId: randomUUID() });
  other.write(env.CLAUDE_CONFIG_DIR);
  const packed = sampleSession({ cwd: project, sessionId: randomUUID(), seed: "packed" });
  packed.write(env.CLAUDE_CONFIG_DIR);
  run("holdfast", "archive", packed.sessionId);
  return {
    sessionId: session.sessionId,
    script: write("chat", [
      { text: "I look at the *cart* first." },
      { run: "seq -f 'line %g of cart.ts' 1 30" },
      { text: "The cart is **empty** because `total()` adds strings:\n\n```ts\nreturn sum + price;\n```" },
      { end: true },
    ]),
  };
}

// Some of them fail on purpose.
function run(...[program, ...words]: [string, ...string[]]): string {
  return spawnSync(program, words, { env, cwd: project, encoding: "utf8" }).stdout;
}
