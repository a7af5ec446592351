// tool-calls.mjs FOLDER CLIENT [INSTALLED_COMMAND…]: a session of 30 shell commands that launch nothing, by the real client
// at CLIENT, or without one ("") by a stand-in that starts processes as it does. With a command, its hooks are installed.
// Measures the time from the first request to the model to the last one.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { startScriptedModel } from "../../test/interop/scripted-model.ts";
import { talkWithClient } from "../../test/interop/talk-with-client.ts";
import { report } from "./report.mjs";

const CALLS = 30;
// What the client itself takes for a call, beyond the processes that it starts.
const OWN_MS = 25;

const [folder, client, ...command] = process.argv.slice(2);
const at = (name) => {
  fs.mkdirSync(path.join(folder, name));
  return path.join(folder, name);
};
const home = { client, userHome: at("user"), configDir: at("config"), cwd: at("project") };
const env = {
  HOLDFAST_HOME: path.join(folder, "state"),
  SHELL: "/bin/bash",
  CLAUDE_CONFIG_DIR: home.configDir,
};
if (command.length > 0) {
  const [program, ...args] = [...command, "plugin", "install"];
  const { status, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot install the hooks: ${stderr}`);
}
await report({
  work: () => (client === "" ? standIn() : realClient()),
  resultOf: () => CALLS,
  figuresOf: (sessionMs) => ({ sessionMs }),
});
process.exit(0);

async function realClient() {
  const calls = Array.from({ length: CALLS }, (_, index) => [
    { tool: "Bash", input: { command: `echo call ${index}`, description: "Look" } },
  ]);
  const model = await startScriptedModel({ main: calls });
  const times = [];
  const record = model.asked.push.bind(model.asked);
  model.asked.push = (asked) => {
    if (asked.asker === "main") times.push(performance.now());
    return record(asked);
  };
  const talk = talkWithClient(home, { cwd: home.cwd, modelUrl: model.url, env });
  await talk.say("Look");
  await talk.end();
  if (times.length !== CALLS + 1) throw new Error(`The client asked ${times.length} times`);
  return times.at(-1) - times[0];
}

async function standIn() {
  const settings = path.join(home.configDir, "settings.json");
  const { hooks = {} } = fs.existsSync(settings) ? JSON.parse(fs.readFileSync(settings, "utf8")) : {};
  const common = { session_id: "s-1", transcript_path: "/nowhere/s-1.jsonl", cwd: home.cwd };
  const tool = { tool_name: "Bash", tool_input: { command: "echo call", description: "Look" } };
  const envFile = path.join(folder, "env.sh");
  await obey(hooks, "SessionStart", { ...common, source: "startup" }, { CLAUDE_ENV_FILE: envFile });
  const line = fs.existsSync(envFile) ? fs.readFileSync(envFile, "utf8") : "";
  const started = performance.now();
  for (let index = 0; index < CALLS; index++) {
    await obey(hooks, "PreToolUse", { ...common, ...tool });
    await run(
      "bash",
      ["-c", `true && ${line}\n: && eval 'echo call' < /dev/null && pwd -P >| /dev/null`],
      "",
    );
    const tool_response = { stdout: "call", stderr: "", interrupted: false };
    await obey(hooks, "PostToolUse", { ...common, ...tool, tool_response });
    await new Promise((resolve) => setTimeout(resolve, OWN_MS));
  }
  return performance.now() - started;
}

async function obey(hooks, event, input, more = {}) {
  for (const { matcher, hooks: handlers } of hooks[event] ?? []) {
    if (matcher !== undefined && !matcher.split("|").includes(input.tool_name)) continue;
    const text = JSON.stringify({ ...input, hook_event_name: event });
    for (const { command: program, args } of handlers) await run(program, args, text, more);
  }
}

function run(program, args, input, more = {}) {
  const child = spawn(program, args, {
    cwd: home.cwd,
    env: { ...process.env, ...env, CLAUDE_PID: String(process.pid), CLAUDE_PROJECT_DIR: home.cwd, ...more },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdout.resume();
  child.stderr.resume();
  // A script that need not read leaves its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", resolve));
}
