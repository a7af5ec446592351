import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { projectKey } from "../../src/format/paths.ts";
import type { LaunchLine, ManifestLine } from "../../src/recovery/manifest-line.ts";
import type { HookOutput } from "../../src/doors/hooks/index.ts";
import type { HoldfastRun } from "../support/index.ts";
import { run } from "./cli.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

export const hookProgram: string = fileURLToPath(
  new URL("../../src/doors/hooks/hook-main.ts", import.meta.url),
);

/** A home, and a client in it that sends its hook events to the real hook. */
export interface HookHome extends TaskHome {
  /** Sends an event of a session; resolves with the process's end. */
  send(event: string, fields?: Record<string, unknown>, options?: SendOptions): Promise<HoldfastRun>;
  /** Sends an event and gives what the model is told by it; empty when that is nothing. */
  told(event: string, fields?: Record<string, unknown>, options?: SendOptions): Promise<string>;
  manifest(): ManifestLine[];
  launches(): LaunchLine[];
  /** Says that the client has this session open, as long as this process lives. */
  openSession(sessionId: string): void;
  /** Where the client keeps the transcript of a sub-agent. */
  agentTranscript(sessionId: string, agentId: string): string;
  log(): string;
}

export interface SendOptions {
  session?: string;
  /** The client's process; by default this one, which lives. */
  clientPid?: number;
  env?: Record<string, string>;
}

export function hookHome(): HookHome {
  const home = taskHome();
  const projects = path.join(home.configDir, "projects", projectKey(home.cwd));
  const send: HookHome["send"] = (event, fields = {}, options = {}) => {
    const { session = "s-1", clientPid = process.pid, env = {} } = options;
    const input = {
      session_id: session,
      transcript_path: path.join(projects, `${session}.jsonl`),
      cwd: home.cwd,
      hook_event_name: event,
      ...fields,
    };
    const extra = {
      CLAUDE_PID: String(clientPid),
      CLAUDE_PROJECT_DIR: home.cwd,
      TMPDIR: home.userHome,
      ...env,
    };
    return run(["hook"], { home, input: JSON.stringify(input), env: extra });
  };
  const manifest = (): ManifestLine[] =>
    linesOf(path.join(home.home, "projects", projectKey(home.cwd), "background.jsonl"));
  return {
    ...home,
    send,
    async told(...args) {
      const { code, stdout, stderr } = await send(...args);
      if (code !== 0 || stderr !== "")
        throw new Error(`Cannot continue: the hook ended with ${code}: ${stderr}`);
      if (stdout === "") return "";
      const { hookSpecificOutput } = JSON.parse(stdout) as HookOutput;
      if (hookSpecificOutput.hookEventName !== args[0])
        throw new Error(`Cannot use an answer to another event`);
      return hookSpecificOutput.additionalContext ?? hookSpecificOutput.permissionDecisionReason ?? "";
    },
    manifest,
    launches: () => manifest().filter((line): line is LaunchLine => line.status === "launched"),
    openSession(sessionId) {
      const dir = path.join(home.configDir, "sessions");
      fs.mkdirSync(dir, { recursive: true });
      fs.writeFileSync(path.join(dir, `${process.pid}.json`), JSON.stringify({ sessionId, cwd: home.cwd }));
    },
    agentTranscript: (sessionId, agentId) =>
      path.join(projects, sessionId, "subagents", `agent-${agentId}.jsonl`),
    log: () => {
      const file = path.join(home.home, "hook-errors.log");
      return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    },
  };
}

function linesOf(file: string): ManifestLine[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").split("\n");
  if (lines.pop() !== "") throw new Error("Cannot read the manifest: it does not end with a line");
  return lines.map((line) => JSON.parse(line) as ManifestLine);
}

/** The fields of the client's events, as observed. */
export const bashLaunch = (id: string, command = "npm test"): Record<string, unknown> => ({
  tool_name: "Bash",
  tool_input: { command, description: "Run the tests", run_in_background: true },
  tool_response: {
    stdout: "",
    stderr: "",
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
    backgroundTaskId: id,
  },
  tool_use_id: "toolu_01",
});

export const agentLaunch = (id: string, prompt = "Count the files"): Record<string, unknown> => ({
  tool_name: "Agent",
  tool_input: { description: "Counting", prompt, subagent_type: "Explore", run_in_background: true },
  tool_response: {
    isAsync: true,
    status: "async_launched",
    agentId: id,
    description: "Counting",
    resolvedModel: "claude-opus-5-5",
    prompt,
    outputFile: `/tmp/claude-0/p/s-1/tasks/${id}.output`,
    canReadOutputFile: true,
    canContinueAgent: true,
  },
  tool_use_id: "toolu_02",
});

export const notification = (
  id: string,
  { status = "completed", result = "" }: { status?: string; result?: string } = {},
): string =>
  [
    "<task-notification>",
    `<task-id>${id}</task-id>`,
    "<tool-use-id>toolu_02</tool-use-id>",
    `<status>${status}</status>`,
    '<summary>Agent "Counting" completed</summary>',
    ...(result === "" ? [] : [`<result>${result}</result>`]),
    "</task-notification>",
  ].join("\n");
