// Is told the endings of a home, as a command that prints them or as a client with its hook, and kills itself at a step.
//   news-reader.ts HOME NAME KIND STEP     KIND: command, client; STEP: taken, told, out, recorded, never
// Prints `ready`, `took ID` for each ending that it has to tell, `told ID new|again` once that was delivered, and `sure ID`
// once that is on record.
import fs from "node:fs";
import path from "node:path";
import { runHook } from "../../src/doors/hooks/run-hook.ts";
import type { HookWorld } from "../../src/doors/hooks/hook-world.ts";
import { projectKey } from "../../src/format/paths.ts";
import "../../src/doors/hooks/session-start.ts";
import "../../src/tasks/notices/notices.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home, name, kind, step] = process.argv.slice(2) as [string, string, string, string];
const say = (line: string): void => void fs.writeSync(1, `${line}\n`);
const dieAt = (reached: string): void => {
  if (reached === step) process.kill(process.pid, "SIGKILL");
};
// Some minutes after the tasks ended.
const clock = { now: () => new Date(Date.UTC(2026, 0, 1, 0, 10)) };

say("ready");
await (kind === "command" ? readAsCommand() : readAsClient());

async function readAsCommand(): Promise<void> {
  const { tasks } = openTestTasks({ home, clock });
  const confirmations: (() => void)[] = [];
  const whenDelivered = (confirm: () => void): void => void confirmations.push(confirm);
  // Some are left for those who read at the same time.
  let wanted = step === "never" ? Infinity : 2;
  const taken = await tasks.consumeNotices({ by: name, whenDelivered, isWanted: () => wanted-- > 0 });
  for (const { taskId } of taken) say(`took ${taskId}`);
  dieAt("taken");
  for (const { taskId, mayRepeat } of taken) say(`told ${taskId} ${mayRepeat ? "again" : "new"}`);
  dieAt("told");
  confirmations.forEach((confirm) => confirm());
  for (const { taskId } of taken) say(`sure ${taskId}`);
}

// The transcript gets the text after the model did, which is the worst that a client can do.
async function readAsClient(): Promise<void> {
  const transcript = path.join(home, "claude", "projects", projectKey("/project"), `${name}.jsonl`);
  const input = {
    session_id: name,
    transcript_path: transcript,
    cwd: "/project",
    hook_event_name: "SessionStart",
    source: "startup",
  };
  const world: HookWorld = { home, env: {}, userHome: home, parentPid: process.pid, command: [], clock };
  const { output, afterwards } = await runHook(JSON.stringify(input), world);
  const text = output?.hookSpecificOutput.additionalContext ?? "";
  const told = text.split("\n").flatMap((line) => {
    const id = /notice n-(\w+)/.exec(line)?.[1];
    return id === undefined ? [] : [{ id, isAgain: line.includes("may be a repetition") }];
  });
  for (const { id } of told) say(`took ${id}`);
  dieAt("taken");
  for (const { id, isAgain } of told) say(`told ${id} ${isAgain ? "again" : "new"}`);
  dieAt("told");
  await afterwards?.(true);
  dieAt("out");
  fs.mkdirSync(path.dirname(transcript), { recursive: true });
  fs.appendFileSync(
    transcript,
    `${JSON.stringify({ type: "attachment", attachment: { content: [text] } })}\n`,
  );
  for (const { id } of told) say(`sure ${id}`);
  dieAt("recorded");
}
