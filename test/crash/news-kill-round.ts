import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { recordLaunch } from "../../src/recovery/record-launch.ts";
import { readTask } from "../../src/tasks/record/task.ts";
import { writeEndedTask } from "../support/ended-task.ts";
import { seededRandom, type SeededRandom } from "../support/seeded-random.ts";
import { startProgram } from "../support/start-program.ts";
import { waitFor } from "../support/wait-for.ts";

export interface NewsKillRound {
  seed: number;
  killed: number;
  /** Of them, those that had taken an ending and not confirmed it. */
  killedHolding: number;
  lost: number;
  told: number;
  /** Endings that were told again, each of them after a kill between delivery and confirmation. */
  repeated: number;
  /** What must not be, in words. */
  problems: string[];
}

const TASKS = 12;
const READERS = 8;
const READERS_AT_ONCE = 3;
const IDS = Array.from({ length: TASKS }, (_, n) => `b${String(n).padStart(8, "0")}`);

/** Has readers killed while they tell the endings of a home, then one that may live, and checks who was told what. */
export async function newsKillRound(dir: string, seed: number): Promise<NewsKillRound> {
  const random = seededRandom(seed);
  const home = path.join(dir, "home");
  await writeTasks(home);
  const round: NewsKillRound = {
    seed,
    killed: 0,
    killedHolding: 0,
    lost: 0,
    told: 0,
    repeated: 0,
    problems: [],
  };
  const ledger = new Ledger(round);
  for (let first = 0; first < READERS; first += READERS_AT_ONCE) {
    const names = Array.from({ length: Math.min(READERS_AT_ONCE, READERS - first) }, (_, n) => first + n);
    // At once: what one was told, another one may not be told before the first is dead.
    const ends = await Promise.all(names.map((n) => readUntilKilled(anyReading(`s-${n}`, { home, random }))));
    for (const { lines, isKilled } of ends) {
      if (isKilled) round.killed++;
      if (isKilled && isHolding(lines)) round.killedHolding++;
      ledger.add(lines);
    }
    ledger.closeBatch();
  }
  for (const name of ["the rest", "after the rest"]) {
    ledger.add((await readUntilKilled({ home, name, kind: "command", step: "never" })).lines);
    ledger.closeBatch();
  }
  const lost = IDS.filter((id) => !ledger.wasTold(id));
  round.lost = lost.length;
  round.problems.push(...lost.map((id) => `the ending of ${id} was lost`));
  return round;
}

// It says so itself, so one that was killed before it could say what it took does not count.
function isHolding(lines: readonly string[]): boolean {
  return IDS.some((id) => lines.includes(`took ${id}`) && !lines.includes(`sure ${id}`));
}

async function writeTasks(home: string): Promise<void> {
  for (const [second, id] of IDS.entries()) {
    const task = readTask(writeEndedTask(home, { id, second, exitCode: 3 }))!;
    const clock = { now: () => new Date(task.record.startedAt) };
    await recordLaunch(task, { home, configDir: path.join(home, "claude"), clock });
  }
}

interface Reading {
  home: string;
  name: string;
  kind: "command" | "client";
  /** Where it kills itself. Without one it is killed from outside after a while. */
  step?: "taken" | "told" | "out" | "recorded" | "never";
  killAfterMs?: number;
}

function anyReading(name: string, { home, random }: { home: string; random: SeededRandom }): Reading {
  const kind = random.between(0, 1) === 0 ? "command" : "client";
  const steps =
    kind === "command" ? (["taken", "told"] as const) : (["taken", "told", "out", "recorded"] as const);
  // Past the last one it is killed from outside.
  const step = steps[random.between(0, steps.length)];
  return { home, name, kind, ...(step ? { step } : { killAfterMs: random.between(0, 60) }) };
}

async function readUntilKilled(reading: Reading): Promise<{ lines: readonly string[]; isKilled: boolean }> {
  const { home, name, kind, step = "never", killAfterMs } = reading;
  const reader = startProgram("news-reader", [home, name, kind, step]);
  if (killAfterMs !== undefined) {
    const isReady = (): boolean => reader.lines.includes("ready") || reader.child.exitCode !== null;
    await waitFor(isReady, { timeoutMs: 120_000 });
    await delay(killAfterMs);
    reader.kill();
  }
  const { signal, code } = await reader.ended();
  if (signal === null && code !== 0) throw new Error(`A reader failed: ${reader.errors.join("\n")}`);
  return { lines: reader.lines, isKilled: signal !== null };
}

/** Who was told what, in batches of readers that ran at once. */
class Ledger {
  readonly #round: NewsKillRound;
  readonly #told = new Set<string>();
  readonly #sure = new Set<string>();
  #batch: (readonly string[])[] = [];

  constructor(round: NewsKillRound) {
    this.#round = round;
  }

  add(lines: readonly string[]): void {
    this.#batch.push(lines);
  }

  wasTold(id: string): boolean {
    return this.#told.has(id);
  }

  // Which of the readers of a batch came first is known only by their words: the first says that it is new.
  closeBatch(): void {
    for (const id of IDS) this.#close(id);
    this.#batch = [];
  }

  #close(id: string): void {
    const { problems } = this.#round;
    const isNew = (lines: readonly string[]): boolean => lines.includes(`told ${id} new`);
    const told = this.#batch.filter((lines) => isNew(lines) || lines.includes(`told ${id} again`));
    const sure = told.filter((lines) => lines.includes(`sure ${id}`));
    const isFirst = !this.#told.has(id);
    if (told.length === 0) return;
    if (this.#sure.has(id) || (told.length > 1 && sure.some(isNew)))
      problems.push(`${id} was told again though it was confirmed`);
    if (told.filter(isNew).length > (isFirst ? 1 : 0))
      problems.push(`a repetition of ${id} does not say that it may be one`);
    if (sure.length > 1) problems.push(`${id} was confirmed by ${sure.length} readers`);
    this.#round.told += told.length;
    this.#round.repeated += told.length - (isFirst ? 1 : 0);
    this.#told.add(id);
    if (sure.length > 0) this.#sure.add(id);
  }
}
