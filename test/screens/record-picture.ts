// The picture at the head of README.md, recorded with the real client at a real terminal. Runs inside the sandbox that
// scripts/interop.mjs makes.
//   record-picture.ts CLIENT WORK_DIR PICTURE
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { environmentOf } from "../interop/resume-with-client.ts";
import { startScriptedModel } from "../interop/scripted-model.ts";
import { waitFor } from "../support/wait-for.ts";
import { screenSvg, type Frame } from "./screen-svg.ts";
import { Terminal } from "./terminal.ts";

const SIZE = { columns: 92, rows: 26 };
const [client, workDir, picture] = process.argv.slice(2) as [string, string, string];
const holdfast = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

const at = (name: string): string => path.join(workDir, name);
const app = path.join(at("user"), "app");
for (const folder of [app, at("config"), at("bin")]) fs.mkdirSync(folder, { recursive: true });
const tests = "until [ -e ../tested ]; do sleep 0.1; done\necho '212 tests passed, 1 failed'\nexit 1\n";
fs.writeFileSync(path.join(app, "slow-tests.sh"), tests);

await using model = await startScriptedModel({
  main: [
    [
      "I start both in the background.",
      {
        tool: "Bash",
        input: { command: "holdfast run --name tests -- sh slow-tests.sh", description: "Run the tests" },
      },
      {
        tool: "Bash",
        input: { command: 'holdfast agent "Review the login page"', description: "Start a reviewer" },
      },
    ],
    ["Both run on their own now. I will tell you how they end."],
    [
      "Both have ended while I was gone:\n\n- **tests** failed with exit code 1: 212 tests passed, 1 failed.\n- **The review** is done: the login page accepts an empty password.",
    ],
  ],
});
let release = (): void => {};
const released = new Promise<void>((resolve) => (release = resolve));
await using reviewer = await startScriptedModel({
  main: [{ after: released, content: ["The login page accepts an empty password."] }],
});
const environment: Record<string, string> = {
  ...environmentOf({ client, userHome: at("user"), configDir: at("config") }, model.url),
  PATH: `${at("bin")}:${process.env["PATH"]}`,
  HOLDFAST_HOME: at("state"),
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  PS1: "$ ",
};
writeProgram("claude", `exec '${client}' --permission-mode manual --allowedTools Bash "$@"`);
writeProgram("holdfast", `ANTHROPIC_BASE_URL=${reviewer.url} exec '${process.execPath}' '${holdfast}' "$@"`);
answerFirstQuestions();
mustRun(path.join(at("bin"), "holdfast"), "plugin", "install");

const frames: Frame[] = [];
const command = ["bash", "--norc", "--noprofile", "-i"];
using terminal = new Terminal({ ...SIZE, cwd: app, env: environment, command });
await terminal.shows(/^\$/m);
await say("claude");
await terminal.shows(/❯/);
await film(800);
await say("Run the slow tests, and have the login page reviewed");
await terminal.shows(/Both run on their own now/);
await film(2500);
mustRun("pkill", "-9", "-P", String(terminal.pid));
await terminal.shows(/Killed/);
await film(1200);
terminal.press("C-l");
await say("# The client was killed -9. Its work goes on:");
await say("holdfast ps");
await terminal.shows(/running/);
await film(2500);
release();
fs.writeFileSync(path.join(at("user"), "tested"), "");
await waitFor(() => /No|Nothing/.test(runHoldfast("ps")), { timeoutMs: 60_000 });
terminal.press("C-l");
await say("claude --continue");
await terminal.shows(/❯/);
await film(1000);
await say("What did I miss?");
await terminal.shows(/empty password\.[^]*❯/);
await film(6000);

const told = model.main.at(-1)?.text ?? "";
for (const part of ["failed with exit code 1", "1 failed", "accepts an empty password"])
  if (!told.includes(part)) throw new Error(`The client did not tell the model: ${part}`);
fs.writeFileSync(picture, screenSvg(frames, SIZE));
process.stdout.write(`${picture}: ${frames.length} frames\n`);

// Types as a person does, and films it.
async function say(text: string): Promise<void> {
  for (const character of text) {
    terminal.type(character);
    await film(40);
  }
  terminal.press("Enter");
  await film(400);
}

async function film(ms: number): Promise<void> {
  const endAt = performance.now() + ms;
  do {
    const startedAt = performance.now();
    await delay(40);
    const lines = terminal.frame();
    const last = frames.at(-1);
    const passed = performance.now() - startedAt;
    if (last && last.lines.join("\n") === lines.join("\n")) last.ms += passed;
    else frames.push({ lines, ms: passed });
  } while (performance.now() < endAt);
}

function writeProgram(name: string, text: string): void {
  fs.writeFileSync(path.join(at("bin"), name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

// What a person is asked before the first prompt.
function answerFirstQuestions(): void {
  const key = environment["ANTHROPIC_API_KEY"]!;
  const answers = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [app]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  fs.writeFileSync(path.join(at("config"), ".claude.json"), JSON.stringify(answers), { mode: 0o600 });
}

function runHoldfast(...words: string[]): string {
  const { stdout, stderr } = spawnSync(path.join(at("bin"), "holdfast"), words, {
    encoding: "utf8",
    env: environment,
    cwd: app,
  });
  return stdout + stderr;
}

function mustRun(program: string, ...words: string[]): void {
  const done = spawnSync(program, words, { encoding: "utf8", env: environment, cwd: app });
  if (done.status !== 0)
    throw new Error(`${program} ${words.join(" ")} failed: ${done.stderr}${done.stdout}`);
}
