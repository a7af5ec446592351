import type { Agents } from "../../src/agents/open-agents.ts";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { blocksOf, textOf, toolResultsOf, toolUsesOf } from "../../src/format/entry-kinds.ts";
import type { Entry } from "../../src/format/index.ts";
import type { ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import { readConversation } from "../../src/store/read/conversation.ts";
import { type Task, type Tasks } from "../../src/tasks/index.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { writeScript } from "../support/agent-script.ts";
import { seededRandom, type SeededRandom } from "../support/seeded-random.ts";
import { basicEnv, markedProcesses } from "../support/task-world.ts";
import { waitFor } from "../support/wait-for.ts";

export interface AgentKillRound {
  seed: number;
  kills: number;
  /** Messages that were in the transcript, or counted in the progress, when the host was killed. */
  acknowledged: number;
  /** Tools that ran; each ran once. */
  toolsRun: number;
  /** Of those and others, the ones that were broken off. */
  interrupted: number;
  /** What must not be, in words. */
  problems: string[];
}

const KILLS_MAX = 3;
const WAIT_MS = 60_000;

/**
 * Runs an agent whose tools note that they ran, kills its host -9 at random moments, continues it until it completes, and
 * checks that nothing acknowledged is missing, nothing recorded ran twice, and one notice is left in the end.
 */
export async function agentKillRound({ dir, seed }: { dir: string; seed: number }): Promise<AgentKillRound> {
  const random = seededRandom(seed);
  const home = path.join(dir, "home");
  const configDir = path.join(dir, "claude");
  const { tasks, agents } = openTestTasks({ home, configDir, env: basicEnv });
  const runner = writeScript({ cwd: dir }, stepsOf(random));
  const round: AgentKillRound = {
    seed,
    kills: 0,
    acknowledged: 0,
    toolsRun: 0,
    interrupted: 0,
    problems: [],
  };
  const seen = new Set<string>();
  const sent: string[] = [];
  let task = await agents.start({ prompt: "Go", cwd: dir, runner, permission: "allow" });
  try {
    while (round.kills < KILLS_MAX && (await killSometime(random, { tasks, agents, task, sent }))) {
      round.kills++;
      await noteAcknowledged(agents, task, { seen, round });
      task = await agents.continue(task);
    }
    const ended = await tasks.wait(task, { timeoutMs: WAIT_MS });
    if (ended?.status !== "completed") round.problems.push(`it ended so: ${JSON.stringify(ended)}`);
    await checkTranscript(task, { dir, seen, sent, round });
    await checkNotices(tasks, { task, round });
  } finally {
    await tasks.close();
  }
  round.acknowledged = seen.size;
  return round;
}

// Every tool writes its number; some take a while, so that a kill finds them at work.
function stepsOf(random: SeededRandom): ScriptStep[] {
  const steps: ScriptStep[] = [];
  const count = random.between(4, 12);
  for (let n = 0; n < count; n++) {
    const pause = random.next() < 0.3 ? `sleep 0.${random.between(10, 40)}; ` : "";
    if (random.next() < 0.4) steps.push({ text: `Thought ${n}` });
    steps.push({ run: `${pause}echo ${n} >> ran; echo result ${n}` });
    if (random.next() < 0.2) steps.push({ delayMs: random.between(1, 60) });
  }
  return [...steps, { text: "All done." }];
}

// False when it had ended before the moment came.
async function killSometime(
  random: SeededRandom,
  { tasks, agents, task, sent }: { tasks: Tasks; agents: Agents; task: Task; sent: string[] },
): Promise<boolean> {
  if (random.next() < 0.5) {
    const turns = random.between(1, 8);
    const isThere = async (): Promise<boolean> =>
      ((await agents.progress(task))?.turns ?? 0) >= turns ||
      (await tasks.refresh(task)).state.status !== "running";
    await waitFor(isThere, { timeoutMs: WAIT_MS });
  } else {
    await waitFor(async () => markedProcesses(task.record.id).length > 0 || (await hasEnded(tasks, task)));
    await delay(random.between(0, 900));
  }
  if (await hasEnded(tasks, task)) return false;
  if (random.next() < 0.6) await sendSomething(tasks, task, sent);
  for (const pid of markedProcesses(task.record.id)) killQuietly(pid);
  const ended = await tasks.wait(task, { timeoutMs: WAIT_MS });
  return ended?.status !== "completed";
}

async function sendSomething(tasks: Tasks, task: Task, sent: string[]): Promise<void> {
  const text = `Message ${sent.length} of ${task.record.id}`;
  try {
    await tasks.send(task, text);
    sent.push(text);
  } catch {
    /* It has just ended: then nothing was promised. */
  }
}

async function noteAcknowledged(
  agents: Agents,
  task: Task,
  { seen, round }: { seen: Set<string>; round: AgentKillRound },
): Promise<void> {
  const { entries } = await readConversation(task.files.output);
  const uuids = entries.map((entry) => (entry as { uuid?: string }).uuid!);
  for (const known of seen) if (!uuids.includes(known)) round.problems.push(`entry ${known} vanished`);
  for (const uuid of uuids) seen.add(uuid);
  const turns = (await agents.progress(task))?.turns ?? 0;
  const spoken = entries.filter(({ type }) => type === "assistant").length;
  if (turns > spoken) round.problems.push(`${turns} messages were counted, ${spoken} are recorded`);
}

async function checkTranscript(
  task: Task,
  { dir, seen, sent, round }: { dir: string; seen: Set<string>; sent: string[]; round: AgentKillRound },
): Promise<void> {
  const { entries, gaps, rejections } = await readConversation(task.files.output);
  const { problems } = round;
  if (gaps.length + rejections.length > 0)
    problems.push(`${gaps.length} gaps, ${rejections.length} rejections`);
  const uuids = entries.map((entry) => (entry as { uuid?: string }).uuid!);
  if (new Set(uuids).size !== uuids.length) problems.push("an entry is there twice");
  for (const known of seen) if (!uuids.includes(known)) problems.push(`entry ${known} is missing`);
  for (const uuid of uuids) seen.add(uuid);
  for (const text of sent) {
    const times = entries.filter((entry) => textOf(entry) === text).length;
    if (times !== 1) problems.push(`"${text}" is there ${times} times`);
  }
  const last = entries.findLast(({ type }) => type === "assistant");
  if (!last || textOf(last) !== "All done.") problems.push("its last word is not its answer");
  checkTools(entries, { ran: linesOf(path.join(dir, "ran")), round });
}

// What has a result ran once; what was broken off ran once or not at all; nothing else ran.
function checkTools(
  entries: readonly Entry[],
  { ran, round }: { ran: string[]; round: AgentKillRound },
): void {
  const results = new Map<string, boolean>();
  for (const result of entries.flatMap(toolResultsOf)) {
    if (results.has(result.tool_use_id)) round.problems.push(`${result.tool_use_id} has two results`);
    results.set(result.tool_use_id, result.is_error === true);
  }
  const uses = entries.flatMap(toolUsesOf);
  if (uses.length !== entries.flatMap(blocksOf).filter(({ type }) => type === "tool_use").length)
    round.problems.push("a tool use cannot be read");
  for (const use of uses) {
    const [, number = ""] = /echo (\d+) >> ran/.exec((use.input as { command: string }).command) ?? [];
    const times = ran.filter((line) => line === number).length;
    const isBrokenOff = results.get(use.id);
    if (isBrokenOff === undefined) round.problems.push(`tool use ${use.id} has no result`);
    if (isBrokenOff) round.interrupted++;
    if (times > 1 || (times === 0 && !isBrokenOff)) round.problems.push(`tool ${number} ran ${times} times`);
  }
  round.toolsRun = ran.length;
}

async function checkNotices(
  tasks: Tasks,
  { task, round }: { task: Task; round: AgentKillRound },
): Promise<void> {
  const notices = await tasks.notices();
  const told = notices.map(({ taskId, status }) => `${taskId} ${status}`);
  if (told.length !== 1 || told[0] !== `${task.record.id} completed`)
    round.problems.push(`notices are: ${told.join(", ")}`);
}

async function hasEnded(tasks: Tasks, task: Task): Promise<boolean> {
  return (await tasks.refresh(task)).state.status !== "running";
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    /* It ended by itself. */
  }
}

function linesOf(file: string): string[] {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
}
