import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { acquireLease } from "../../src/lib/lease.ts";
import { currentProcess, startTimeOf } from "../../src/lib/process-identity.ts";
import { leasePath } from "../../src/store/write/transcript-writer.ts";
import { startProgram, tempDir, waitFor, type Program } from "../support/index.ts";

const SESSION_ID = "5e551000-0000-4000-8000-000000000003";

type Outcome =
  | { won: number }
  | { lost: number; code: string; message: string; pid: number; sessionId: string };

/** Several processes that race for one session after another, released together by a file that appears. */
class Racers {
  readonly programs: Program[];
  readonly #dir: string;
  #rounds = 0;

  constructor(count: number, dir: string) {
    this.#dir = dir;
    this.programs = Array.from({ length: count }, () => startProgram("race-for-session", []));
  }

  get pids(): number[] {
    return this.programs.map(({ pid }) => pid);
  }

  /** One race for a new session. `plant` may put a lease there first. */
  async race(plant: (lease: string) => void = () => {}): Promise<{ outcomes: Outcome[]; file: string }> {
    const round = ++this.#rounds;
    const file = path.join(this.#dir, `${round}.jsonl`);
    const leaseDir = path.join(this.#dir, "leases");
    fs.mkdirSync(leaseDir, { recursive: true });
    plant(leasePath(leaseDir, file));
    const barrier = path.join(this.#dir, `go-${round}`);
    const seen = this.programs.map(({ lines }) => lines.length);
    for (const program of this.programs)
      program.say(JSON.stringify({ file, leaseDir, sessionId: SESSION_ID, barrier }));
    await this.#allHaveSaid(seen.map((count) => count + 1));
    fs.writeFileSync(barrier, "");
    await this.#allHaveSaid(seen.map((count) => count + 2));
    return { outcomes: this.programs.map(({ lines }) => JSON.parse(lines.at(-1)!) as Outcome), file };
  }

  /** Everybody lets go; nothing of a lease may be left. */
  async release(): Promise<string[]> {
    const seen = this.programs.map(({ lines }) => lines.length);
    for (const program of this.programs) program.say("release");
    await this.#allHaveSaid(seen.map((count) => count + 1));
    return fs.readdirSync(path.join(this.#dir, "leases"));
  }

  async end(): Promise<void> {
    for (const { child } of this.programs) child.stdin?.end();
    await Promise.all(this.programs.map((program) => program.ended()));
  }

  async #allHaveSaid(counts: number[]): Promise<void> {
    await waitFor(() => this.programs.every(({ lines }, index) => lines.length >= counts[index]!));
  }
}

const winnersOf = (outcomes: Outcome[]): number[] =>
  outcomes.flatMap((outcome) => ("won" in outcome ? [outcome.won] : []));
const losersOf = (outcomes: Outcome[]): Exclude<Outcome, { won: number }>[] =>
  outcomes.flatMap((outcome) => ("lost" in outcome ? [outcome] : []));

const ROUNDS = 50;

test(`openTranscriptWriter() lets exactly one of two racing processes in, ${ROUNDS} times, and tells the other who`, async () => {
  const racers = new Racers(2, tempDir());
  const wins = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const { outcomes, file } = await racers.race();
    const [winner] = winnersOf(outcomes);
    expect(outcomes.toSorted((a) => ("won" in a ? -1 : 1))).toEqual([
      { won: winner },
      {
        lost: racers.pids.find((pid) => pid !== winner),
        code: "conflict",
        message: `Cannot write session "${SESSION_ID}": locked by pid ${winner}`,
        pid: winner,
        sessionId: SESSION_ID,
      },
    ]);
    expect(fs.readFileSync(file, "utf8")).toBe(`{"type":"user","pid":${winner}}\n`);
    expect(await racers.release()).toEqual([]);
    wins.set(winner!, (wins.get(winner!) ?? 0) + 1);
  }
  process.stdout.write(`two writers racing: ${ROUNDS} rounds, won ${[...wins.values()].join(" to ")}\n`);
  await racers.end();
});

const TAKEOVER_ROUNDS = 24;
const TAKERS = 8;

test(`openTranscriptWriter() lets exactly one of ${TAKERS} racing processes take a dead lease over, ${TAKEOVER_ROUNDS} times`, async () => {
  const dead = await deadIdentity();
  const plants = {
    "a dead process": (lease: string) => fs.writeFileSync(lease, leaseText(dead)),
    "a pid that another process has now": (lease: string) =>
      fs.writeFileSync(lease, leaseText({ ...currentProcess(), startTime: "1" })),
    "a damaged file": (lease: string) => fs.writeFileSync(lease, '{"pid":'),
  };
  const racers = new Racers(TAKERS, tempDir());
  for (let round = 0; round < TAKEOVER_ROUNDS; round++) {
    const [name, plant] = Object.entries(plants)[round % 3]!;
    const { outcomes, file } = await racers.race(plant);
    const winners = winnersOf(outcomes);
    const losers = losersOf(outcomes);
    expect({ name, winners: winners.length, losers: losers.length }).toEqual({
      name,
      winners: 1,
      losers: TAKERS - 1,
    });
    // Whoever was just taking it over may be named too: nobody else could have got it at that moment.
    const strange = losers.filter(
      ({ code, pid, sessionId }) =>
        code !== "conflict" || sessionId !== SESSION_ID || !racers.pids.includes(pid),
    );
    expect(strange).toEqual([]);
    expect(fs.readFileSync(file, "utf8")).toBe(`{"type":"user","pid":${winners[0]}}\n`);
    expect(await racers.release()).toEqual([]);
  }
  await racers.end();
});

test("openTranscriptWriter() takes over the lease of a writer that was killed, and again of the one that took it over", async () => {
  const dir = tempDir();
  const file = path.join(dir, "s.jsonl");
  const leaseDir = path.join(dir, "leases");
  for (let round = 0; round < 3; round++) {
    const barrier = path.join(dir, `go-${round}`);
    fs.writeFileSync(barrier, "");
    const program = startProgram("race-for-session", []);
    program.say(JSON.stringify({ file, leaseDir, sessionId: SESSION_ID, barrier }));
    await waitFor(() => program.lines.includes(JSON.stringify({ won: program.pid })));
    expect(() => acquireLease(leasePath(leaseDir, file), { subject: "x" })).toThrow(
      `locked by pid ${program.pid}`,
    );
    program.kill();
    await program.ended();
  }
  expect(fs.readFileSync(file, "utf8").split("\n").length).toBe(4);
  acquireLease(leasePath(leaseDir, file), { subject: "x" }).release();
  expect(fs.readdirSync(leaseDir)).toEqual([]);
});

async function deadIdentity(): Promise<object> {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  const identity = { ...currentProcess(), pid: child.pid!, startTime: startTimeOf(child.pid!) };
  child.kill("SIGKILL");
  await waitFor(() => child.signalCode !== null);
  return identity;
}

function leaseText(identity: object): string {
  return `${JSON.stringify({ ...identity, token: "0123456789abcdef01234567", subject: SESSION_ID })}\n`;
}
