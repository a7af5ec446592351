import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realProc } from "../support/other-machine.ts";
import { startTimeOf } from "../../src/lib/process-identity.ts";
import { type Task, type Tasks } from "../../src/tasks/index.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { readJson } from "../../src/lib/read-json.ts";
import type { TaskFiles } from "../../src/tasks/record/task-files.ts";
import { seededRandom, type SeededRandom } from "../support/seeded-random.ts";
import { smallLaunchersOf } from "../support/small-launchers.ts";
import { startProgram, type Program } from "../support/start-program.ts";
import { waitFor } from "../support/wait-for.ts";

export interface TaskKillRound {
  seed: number;
  /** Launches that the killed launcher had acknowledged. */
  acknowledged: number;
  /** Tasks that it had started or recorded without being able to say so. */
  unacknowledged: number;
  /** Of those, the ones that were never started. */
  lost: number;
  stopped: number;
  /** What must not be, in words. */
  problems: string[];
}

export interface TaskKillRoundOptions {
  /** An empty folder. */
  dir: string;
  seed: number;
  tasks: number;
  /** Processes that race for the notices. */
  consumers: readonly Program[];
}

/**
 * Has a process launch tasks, kills it -9 at a random moment, and checks that everything it had acknowledged has a
 * record, a true ending, its whole output and exactly one notice, and that nothing of any task runs in the end.
 */
export async function taskKillRound(options: TaskKillRoundOptions): Promise<TaskKillRound> {
  const { dir, seed } = options;
  const random = seededRandom(seed);
  const home = path.join(dir, "home");
  const plans = new Map(
    Array.from({ length: options.tasks }, (_, n) => planOf(random, n)).map((plan) => [plan.command, plan]),
  );
  const acknowledged = await launchUntilKilled(random, { dir, home, plans: [...plans.values()] });
  const { tasks } = openTestTasks({ home });
  const found = await tasks.list({ all: true });
  const problems = missingRecords(acknowledged, found);
  const stopped = await endAll(tasks, found, plans);
  const ended = await Promise.all(found.map((task) => tasks.refresh(task)));
  for (const task of ended) problems.push(...untruths(task, plans.get(task.record.command)!, acknowledged));
  problems.push(...(await wrongNotices(options, home, ended)));
  await waitFor(async () => (await tasks.list()).length === 0, { timeoutMs: 60_000 });
  problems.push(...(await leftovers(home, ended)));
  const isLost = ({ state }: Task): boolean => state.status === "lost";
  return {
    seed,
    acknowledged: acknowledged.length,
    unacknowledged: found.length - acknowledged.length,
    lost: ended.filter(isLost).length,
    stopped,
    problems,
  };
}

/** A command, and what must come of it. */
interface Plan {
  command: string;
  output: string;
  /** Undefined for one that runs until it is stopped. */
  ending?: object;
}

function planOf(random: SeededRandom, n: number): Plan {
  const code = random.between(0, 9);
  const exit =
    code === 0 ? { status: "completed", exitCode: 0 } : { status: "failed", exitCode: code, reason: "exit" };
  const wait = `sleep 0.${random.between(0, 30).toString().padStart(2, "0")}`;
  const lines = random.between(1, 3000);
  const numbers = Array.from({ length: lines }, (_, line) => `${n} ${line + 1}\n`).join("");
  const print = `awk 'BEGIN { for (line = 1; line <= ${lines}; line++) print "${n} " line }'`;
  const plans: Plan[] = [
    { command: `echo task ${n}; exit ${code}`, output: `task ${n}\n`, ending: exit },
    { command: `${print}; exit ${code}`, output: numbers, ending: exit },
    { command: `${wait}; ${print}; exit ${code}`, output: numbers, ending: exit },
    { command: `(${wait}; echo late ${n}) & exit ${code}`, output: `late ${n}\n`, ending: exit },
    {
      command: `setsid sh -c '${wait}; echo later ${n}' & exit ${code}`,
      output: `later ${n}\n`,
      ending: exit,
    },
    {
      command: `echo killed ${n}; kill -9 $$`,
      output: `killed ${n}\n`,
      ending: { status: "failed", exitCode: 137, signal: "SIGKILL", reason: "exit" },
    },
    { command: `echo endless ${n}; sleep 600`, output: `endless ${n}\n` },
    { command: `setsid sleep 600 & echo left ${n}`, output: `left ${n}\n` },
  ];
  // The endless ones are a few, because each must be stopped.
  return plans[random.next() < 0.85 ? random.between(0, 5) : random.between(6, 7)]!;
}

interface Acknowledged {
  id: string;
  command: string;
}

async function launchUntilKilled(
  random: SeededRandom,
  { dir, home, plans }: { dir: string; home: string; plans: Plan[] },
): Promise<Acknowledged[]> {
  // Large enough now and then that even its first task goes through the small launcher.
  const megabytes = random.next() < 0.2 ? "160" : "0";
  const program = startProgram("task-launcher", [home, dir, megabytes]);
  await waitFor(() => program.lines.length > 0);
  for (const { command } of plans) program.say(JSON.stringify({ command }));
  // A launch takes some 5 ms on a machine with nothing else to do; a tenth of the rounds are not cut short at all.
  const acknowledgedFirst = Math.floor(random.next() * 1.1 * plans.length);
  await waitFor(() => program.lines.length > Math.min(acknowledgedFirst, plans.length), {
    timeoutMs: 120_000,
  });
  await delay(random.next() * 10);
  program.kill("SIGKILL");
  await program.ended();
  // What one had begun when its process died is there when it has gone, too.
  await waitFor(() => smallLaunchersOf(program.pid).length === 0, { timeoutMs: 60_000 });
  const answers = program.lines.slice(1).map((line) => JSON.parse(line) as Partial<Acknowledged>);
  const refused = answers.filter(({ id }) => id === undefined);
  if (refused.length > 0) throw new Error(`Launches were refused: ${JSON.stringify(refused[0])}`);
  return answers as Acknowledged[];
}

function missingRecords(acknowledged: Acknowledged[], found: Task[]): string[] {
  const ids = new Set(found.map(({ record }) => record.id));
  return acknowledged
    .filter(({ id }) => !ids.has(id))
    .map(({ id }) => `acknowledged task ${id} has no record`);
}

/** Waits for those that end and stops the others; gives the number of these. */
async function endAll(tasks: Tasks, found: Task[], plans: Map<string, Plan>): Promise<number> {
  const isEndless = ({ record }: Task): boolean => plans.get(record.command)!.ending === undefined;
  const isPrepared = (task: Task): boolean =>
    fs.readFileSync(task.files.output, "utf8") === plans.get(task.record.command)!.output;
  let stopped = 0;
  const waiting = found.slice();
  const work = async (): Promise<void> => {
    for (let task = waiting.pop(); task; task = waiting.pop()) {
      if (isEndless(task)) {
        await waitFor(async () => isPrepared(task) || (await tasks.refresh(task)).state.status === "lost", {
          timeoutMs: 60_000,
        });
        const state = await tasks.stop(task, { by: "the round", graceMs: 3000 });
        if (state.status === "stopped") stopped++;
      } else if (!(await tasks.wait(task, { timeoutMs: 60_000 }))) {
        throw new Error(`Task ${task.record.id} does not end: ${task.record.command}`);
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return stopped;
}

function untruths({ record, files, state }: Task, plan: Plan, acknowledged: Acknowledged[]): string[] {
  const isAcknowledged = acknowledged.some(({ id }) => id === record.id);
  const output = fs.readFileSync(files.output, "utf8");
  const about = `task ${record.id} (${record.command})`;
  if (state.status === "lost") {
    if (isAcknowledged) return [`acknowledged ${about} is lost: ${state.cause}`];
    return output === "" ? [] : [`${about} is lost although it ran: ${state.cause}`];
  }
  const { endedAt: _, ...told } = state as object & { endedAt: string };
  const { exitCode: __, signal: ___, ...stop } = told as { exitCode?: number; signal?: string };
  const isTrue = plan.ending
    ? JSON.stringify(told) === JSON.stringify(orderLike(told, plan.ending))
    : JSON.stringify(stop) === JSON.stringify({ status: "stopped", stoppedBy: "the round" });
  const problems = isTrue ? [] : [`${about} says ${JSON.stringify(told)}`];
  if (digest(output) !== digest(plan.output))
    problems.push(`${about} printed ${JSON.stringify(output.slice(-80))}`);
  return problems;
}

function orderLike(model: object, value: object): object {
  return Object.fromEntries(
    Object.keys({ ...model, ...value }).map((key) => [key, (value as Record<string, unknown>)[key]]),
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

// All consumers at once, twice: what was taken must not be there again.
async function wrongNotices(
  { consumers }: TaskKillRoundOptions,
  home: string,
  ended: Task[],
): Promise<string[]> {
  const taken = new Map<string, number>();
  for (let time = 0; time < 2; time++) {
    const before = consumers.map(({ lines }) => lines.length);
    for (const consumer of consumers) consumer.say(home);
    await waitFor(() => consumers.every(({ lines }, n) => lines.length > before[n]!), { timeoutMs: 60_000 });
    for (const { lines } of consumers)
      for (const id of (JSON.parse(lines.at(-1)!) as { taken: string[] }).taken)
        taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  return ended
    .filter(({ record }) => taken.get(record.id) !== 1)
    .map(({ record }) => `the notice of task ${record.id} was taken ${taken.get(record.id) ?? 0} times`);
}

// A supervisor ends a moment after its ending is there; what carries the marker must be gone before.
async function leftovers(home: string, ended: Task[]): Promise<string[]> {
  const ids = new Set(ended.map(({ record }) => record.id));
  const problems = markedProcesses(ids).map((each) => `process ${each} is left`);
  await waitFor(() => ended.every(({ files }) => !isSupervised(files)), { timeoutMs: 30_000 });
  const names = fs.existsSync(path.join(home, "running")) ? fs.readdirSync(path.join(home, "running")) : [];
  return [...problems, ...names.map((name) => `${name} is still among the running tasks`)];
}

function isSupervised({ run }: TaskFiles): boolean {
  const { pid, startTime } = (readJson(run) ?? {}) as { pid?: number; startTime?: string };
  return pid !== undefined && startTimeOf(pid) === startTime;
}

function markedProcesses(ids: Set<string>): string[] {
  return fs.readdirSync(realProc).flatMap((pid) => {
    try {
      const environ = fs.readFileSync(`${realProc}/${pid}/environ`, "latin1");
      const id = /(?:^|\0)HOLDFAST_TASK_ID=(\w+)/.exec(environ)?.[1];
      return id !== undefined && ids.has(id) ? [`${pid} of task ${id}`] : [];
    } catch {
      return [];
    }
  });
}
