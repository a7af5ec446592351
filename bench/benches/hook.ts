import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest, Side } from "../support/measure.ts";
import { bareNodeSide, commandSide } from "../support/run-program.ts";
import { hookSession } from "./hook-session.ts";

export const hook: Bench = {
  name: "hook",
  measures: [
    hookSession,
    {
      title: () => "a tool call that launches nothing",
      against: "node -e 0",
      pairs: { full: 25, quick: 7 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost", atMost: 0.2 } },
      ],
      open: async (context) => openQuietCall(context),
    },
    {
      title: () => "a session that begins, with a brief of 3 running and 3 finished tasks",
      against: "node -e 0",
      pairs: { full: 25, quick: 7 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost", atMost: 1.8 } },
      ],
      open: async (context) => openHook(context, { event: startEvent, isTold: true }),
    },
  ],
  notMeasured: [
    "a shell or a package runner between the client and the hook",
    "a client that was killed with commands running: then every process of the machine is looked at, once",
    "a cold page cache",
  ],
};

const SESSION = "11111111-2222-4333-8444-555555555555";

function eventOf(fields: object): (dir: string) => object {
  const transcript = (dir: string): string => path.join(dir, "config", "projects", "p", `${SESSION}.jsonl`);
  return (dir) => ({ session_id: SESSION, transcript_path: transcript(dir), cwd: dir, ...fields });
}

const quietEvent = eventOf({
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "git status", description: "Look" },
  tool_response: { stdout: "clean", stderr: "", interrupted: false, isImage: false },
  tool_use_id: "toolu_01",
});
export const startEvent: (dir: string) => object = eventOf({
  hook_event_name: "SessionStart",
  source: "compact",
});

// The one after a command, which reads its input; the one before does less.
function openQuietCall(context: BenchContext): Contest {
  const dir = fs.mkdtempSync(path.join(context.scratchDir, "hook-"));
  const file = path.join(dir, "event.json");
  fs.writeFileSync(file, JSON.stringify(quietEvent(dir)));
  const script = path.join(import.meta.dirname, "..", "..", "plugin", "hooks", "after-command.sh");
  const program = ["sh", "-c", 'file=$1; shift; . "$0" < "$file"', script, file, ...hookCommand(context)];
  return {
    peer: bareNodeSide(),
    candidate: commandSide(program, { resultOf: (stdout) => stdout }),
    comparable: false,
    verify: (result) => (result === undefined || result === "" ? undefined : "the hook said something"),
  };
}

function openHook(
  context: BenchContext,
  { event, isTold }: { event: (dir: string) => object; isTold: boolean },
): Contest {
  const dir = fs.mkdtempSync(path.join(context.scratchDir, "hook-"));
  const env = {
    HOLDFAST_HOME: path.join(dir, "home"),
    CLAUDE_PROJECT_DIR: dir,
    CLAUDE_PID: String(process.pid),
  };
  const [node = "", program = ""] = hookCommand(context);
  const send = (input: object): void => {
    const done = spawnSync(node, [program], {
      env: { ...process.env, ...env },
      input: JSON.stringify(input),
    });
    if (done.status !== 0) throw new Error(`Cannot run the hook: exit code ${done.status}`);
  };
  if (isTold) launchTasks(dir, send);
  return {
    peer: bareNodeSide(),
    candidate: hookSide(context, {
      dir,
      env,
      event: event(dir),
      resultOf: (stdout) =>
        stdout.includes("Running now (3)") && stdout.includes("before in this session (3)"),
    }),
    comparable: false,
    verify: (result) => (result === isTold ? undefined : "the hook did not say what it should"),
  };
}

/** The hook's program, given an event of a session; `dir` is for the file that holds it. */
export function hookSide(
  context: BenchContext,
  {
    dir,
    env,
    event,
    resultOf,
  }: { dir: string; env: NodeJS.ProcessEnv; event: object; resultOf: (stdout: string) => unknown },
): Side {
  const file = path.join(dir, "event.json");
  fs.writeFileSync(file, JSON.stringify(event));
  // The stopwatch gives its commands no input, so that a shell opens the file: a millisecond of both sides' fifty.
  return commandSide(["sh", "-c", 'exec "$@" < "$0"', file, ...hookCommand(context)], { env, resultOf });
}

function hookCommand(context: BenchContext): string[] {
  const [node = "", bin = ""] = installedCommand(context);
  return [node, path.join(path.dirname(bin), "..", "dist", "hook.cjs")];
}

function launchTasks(dir: string, send: (input: object) => void): void {
  for (const [index, isSeen] of [true, true, true, false, false, false].entries()) {
    const id = `b0000000${index}`;
    const launch = eventOf({
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: `make ${index}`, description: `Part ${index}`, run_in_background: true },
      tool_response: { stdout: "", stderr: "", backgroundTaskId: id },
    });
    send(launch(dir));
    const text = `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>done</summary>\n</task-notification>`;
    if (isSeen) send(eventOf({ hook_event_name: "UserPromptSubmit", prompt: text })(dir));
  }
}
