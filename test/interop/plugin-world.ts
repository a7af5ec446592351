import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "../support/wait-for.ts";
import type { AnswerPart } from "../support/messages-answer.ts";
import type { CheckHome } from "./checks.ts";
import { environmentOf } from "./resume-with-client.ts";
import { startScriptedModel, type AskedModel, type ModelStep } from "./scripted-model.ts";
import { talkWithClient, type Talk, type TalkOptions } from "./talk-with-client.ts";

export const root: string = fileURLToPath(new URL("../..", import.meta.url));
export const plugin: string = path.join(root, "plugin");
export const never: Promise<never> = new Promise<never>(() => {});

export const agentTool = (prompt: string): ModelStep => [
  {
    tool: "Agent",
    input: {
      description: "Count the files",
      prompt,
      subagent_type: "general-purpose",
      run_in_background: true,
    },
  },
];
export const shellTool = (command: string): ModelStep => [
  { tool: "Bash", input: { command, description: "Two lines", run_in_background: true } },
];

/** A command in the background. */
export const inBackground = (command: string, description: string): AnswerPart => ({
  tool: "Bash",
  input: { command, description, run_in_background: true },
});
/** An agent in the background. */
export const agentCalled = (description: string): AnswerPart => ({
  tool: "Agent",
  input: {
    description,
    prompt: `Please: ${description}`,
    subagent_type: "general-purpose",
    run_in_background: true,
  },
});

export const LONG: { timeoutMs: number } = { timeoutMs: 60_000 };
export interface Line {
  agent_id: string;
  kind?: string;
  status: string;
  description: string;
  output_file: string;
  transcript?: string;
  session_id: string;
  tool_use_id?: string;
}

// A file that is no child of the client's holds the command back, so that the check decides when it ends.
export async function killedSession(home: CheckHome): Promise<{
  shell: Line;
  agent: Line;
  sessionId: string;
  finishShell: () => Promise<void>;
}> {
  const go = path.join(home.userHome, "go");
  const command = `echo first line; while [ ! -e ${go} ]; do sleep 0.1; done; echo second line`;
  await using model = await startScriptedModel({
    main: [
      [...(shellTool(command) as object[]), ...(agentTool("Count them") as object[])] as ModelStep,
      { after: never, content: [] },
    ],
    agent: [{ after: never, content: [] }],
  });
  const talk = talkWithPlugin(home, { modelUrl: model.url });
  talk.begin("Start both");
  const shell = await launched(home, "local_bash");
  const agent = await launched(home, "local_agent");
  await waitFor(() => model.asked.some(({ asker }) => asker === "agent"), LONG);
  await waitFor(() => fs.readFileSync(shell.output_file, "utf8").includes("first"), LONG);
  await waitFor(() => fs.existsSync(agent.transcript ?? ""), LONG);
  await talk.kill();
  return {
    shell,
    agent,
    sessionId: talk.sessionId ?? "",
    async finishShell() {
      fs.writeFileSync(go, "");
      await waitFor(() => fs.readFileSync(shell.output_file, "utf8").includes("second"), LONG);
      await waitFor(() => !isOpen(shell.output_file), LONG);
    },
  };
}

export function isOpen(file: string): boolean {
  return fs.readdirSync("/proc").some((pid) => {
    try {
      return fs
        .readdirSync(`/proc/${pid}/fd`)
        .some((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`) === file);
    } catch {
      return false;
    }
  });
}

export function talkWithPlugin(home: CheckHome, options: Omit<TalkOptions, "cwd">): Talk {
  return talkWithClient(home, {
    ...options,
    cwd: home.cwd,
    args: ["--plugin-dir", plugin, ...(options.args ?? [])],
    env: { ...envOf(home), ...options.env },
  });
}

/** The command on the PATH, as an installation would put it there; it may be told to spoil what its hooks get. */
export function envOf(home: CheckHome): Record<string, string> {
  const bin = path.join(home.userHome, "bin");
  fs.mkdirSync(bin, { recursive: true });
  const program = `"${process.execPath}" "${path.join(root, "bin/holdfast.js")}"`;
  const script = `#!/bin/sh
case "$1.$HOLDFAST_TEST_FEED" in
hook.garbage) cat >/dev/null; echo '{"hook_event_name":17' | ${program} "$@" ;;
hook.huge) { printf '{"padding":"'; head -c 52428800 /dev/zero | tr '\\0' x; cat; } | ${program} "$@" ;;
*) exec ${program} "$@" ;;
esac
`;
  fs.writeFileSync(path.join(bin, "holdfast"), script, { mode: 0o755 });
  const state = path.join(home.userHome, "holdfast");
  fs.mkdirSync(state, { recursive: true, mode: 0o700 });
  // What nobody records is seen with these checks, whichever shell the client takes; ending-checks.ts has the other side.
  fs.writeFileSync(path.join(state, "config.json"), '{"hooks":{"exitCodes":false}}');
  return { PATH: `${bin}:${process.env["PATH"]}`, HOLDFAST_HOME: state };
}

export function manifest(home: CheckHome): Line[] {
  const dir = path.join(home.userHome, "holdfast", "manifests");
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir)
    .flatMap((name) => fs.readFileSync(path.join(dir, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** The launch that was described so, once the manifest has it. */
export function launchOf(home: CheckHome, description: string): Promise<Line> {
  const isIt = (line: Line): boolean => line.status === "launched" && line.description === description;
  return waitFor(() => manifest(home).find(isIt), LONG);
}

export function launched(home: CheckHome, kind: string): Promise<Line> {
  return waitFor(() => manifest(home).find((line) => line.kind === kind && line.status === "launched"), LONG);
}

export function briefIn(asked: Pick<AskedModel, "text"> | undefined): string {
  const text = asked?.text ?? "";
  const from = text.indexOf("state of background work");
  return from < 0 ? `(no brief in ${text.slice(-600)})` : text.slice(from, from + 8000);
}

export function missing(text: string, wanted: readonly string[]): string[] {
  const absent = wanted.filter((each) => !text.includes(each));
  return absent.length === 0
    ? []
    : [`the model was not told ${JSON.stringify(absent)} but: ${text.slice(-1500)}`];
}

export function runClient(
  home: CheckHome,
  args: string[],
): { status: number | null; stdout: string; stderr: string } {
  const env = { ...environmentOf(home, "http://127.0.0.1:9"), ...envOf(home) };
  return spawnSync(home.client, args, { cwd: home.cwd, env, encoding: "utf8", timeout: 60_000 });
}

export function holdfast(
  home: CheckHome,
  args: string[],
): { status: number | null; stdout: string; stderr: string } {
  const env = { ...environmentOf(home, "http://127.0.0.1:9"), ...envOf(home) };
  return spawnSync(path.join(home.userHome, "bin", "holdfast"), args, {
    cwd: home.cwd,
    env,
    encoding: "utf8",
  });
}

/** Resumes a session, says these prompts one after the other and ends it; what its model was given to read, at each. */
export async function resumed(
  home: CheckHome,
  sessionId: string | undefined,
  { args = [], prompts = ["What happened?"], env = {} }: ResumedOptions = {},
): Promise<string[]> {
  await using model = await startScriptedModel({});
  const talk = talkWithPlugin(home, {
    modelUrl: model.url,
    args: ["--resume", sessionId ?? "", ...args],
    env,
  });
  const heard: string[] = [];
  for (const prompt of prompts) {
    if (typeof prompt === "function") await prompt();
    else await talk.say(prompt);
    if (typeof prompt === "string") heard.push(model.main.at(-1)?.text ?? "");
  }
  await talk.end();
  return heard;
}

interface ResumedOptions {
  args?: string[];
  /** A function is called between two prompts. */
  prompts?: (string | (() => Promise<unknown>))[];
  env?: Record<string, string>;
}

/** How often a text tells an ending: each time with its mark. */
export function timesTold(text: string, id: string): number {
  return text.split(`(notice n-${id})`).length - 1;
}

/** A file that commands and the model wait for, so that the check decides when they go on. */
export function gate(home: CheckHome, name = "go"): Gate {
  const file = path.join(home.userHome, name);
  return {
    command: `until [ -e ${file} ]; do sleep 0.1; done`,
    opened: () => waitFor(() => fs.existsSync(file), LONG),
    open: () => fs.writeFileSync(file, ""),
  };
}

export interface Gate {
  /** For a shell: waits until the gate is open. */
  command: string;
  opened(): Promise<unknown>;
  open(): void;
}

/** Processes whose command holds this, each word of it between zero bytes; the sandbox has no others than the check's. */
export function processes(command: string): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(command);
    } catch {
      return false;
    }
  });
}
