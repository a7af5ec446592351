import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openBackup } from "../../src/health/repair/open-backup.ts";
import { repairTranscript } from "../../src/health/repair/repair-transcript.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { readPacked, isPacked } from "../../src/store/archive/read-packed.ts";
import { openSessionStore } from "../../src/store/open-session-store.ts";
import { seededRandom, type SeededRandom } from "../support/seeded-random.ts";
import { startProgram } from "../support/start-program.ts";
import { TranscriptBuilder } from "../support/transcript-builder.ts";
import { waitFor } from "../support/wait-for.ts";

export interface ArchiveKillLoop {
  rounds: number;
  /** Things that were done before a kill, by their names. */
  done: Record<string, number>;
  /** Kills that left a pack without its name, or sessions whose originals had to be removed. */
  cutOff: number;
  problems: string[];
}

/** What a transcript may hold: as it was, or (a damaged one) as it is when it is mended. */
type Expected = Map<string, Buffer[]>;

/** Kills a process that archives, restores and repairs, again and again in one home, and looks what became of it. */
export async function runArchiveKillLoop(
  dir: string,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<ArchiveKillLoop> {
  const random = seededRandom(seed);
  const world = { home: path.join(dir, "home"), configDir: path.join(dir, "config") };
  const expected = await fillHome(world, dir);
  const result: ArchiveKillLoop = { rounds, done: {}, cutOff: 0, problems: [] };
  for (let round = 0; round < rounds; round++) {
    for (const line of await killOne(world, random)) result.done[line] = (result.done[line] ?? 0) + 1;
    if (isCutOff(world.home)) result.cutOff++;
    result.problems.push(...(await wrongIn(world, expected)).map((problem) => `round ${round}: ${problem}`));
  }
  result.problems.push(...(await finish(world, expected)));
  return result;
}

interface World {
  home: string;
  configDir: string;
}

async function fillHome(world: World, cwd: string): Promise<Expected> {
  const expected: Expected = new Map();
  for (let n = 0; n < 6; n++) {
    const session = new TranscriptBuilder({ cwd, seed: `kill ${n}` });
    for (let turn = 0; turn < 3 + n * 20; turn++) {
      session.prompt(`question ${turn} ${"long ".repeat(n * 200)}`);
      session.reply(`answer ${turn}`);
    }
    const { path: file, sessionId } = session.write(world.configDir);
    const whole = fs.readFileSync(file);
    // Every other one has two entries on one line.
    if (n % 2 === 1) fs.writeFileSync(file, whole.toString().replace("\n", ""));
    expected.set(sessionId, n % 2 === 1 ? [fs.readFileSync(file), whole] : [whole]);
  }
  return expected;
}

async function killOne({ home, configDir }: World, random: SeededRandom): Promise<readonly string[]> {
  const program = startProgram("archive-and-repair", [home, configDir]);
  const first = random.between(1, 20);
  await waitFor(() => program.lines.length >= first || program.child.exitCode !== null, {
    timeoutMs: 60_000,
  });
  await delay(random.next() * 40);
  program.kill("SIGKILL");
  const { code } = await program.ended();
  if (code !== null) throw new Error(`The program ended by itself: ${program.errors.join(" ")}`);
  return program.lines;
}

function isCutOff(home: string): boolean {
  const names = fs.readdirSync(path.join(home, "archive"));
  return names.some((name) => name.startsWith(".") || name.endsWith(".originals-remain"));
}

/** Every session must be found, and hold what it held, wherever it is now. */
async function wrongIn(world: World, expected: Expected): Promise<string[]> {
  const store = openSessionStore(world);
  const problems: string[] = [];
  for (const [sessionId, contents] of expected) {
    try {
      const { path: file } = await store.find(sessionId);
      const bytes = isPacked(file) ? Buffer.concat([...readPacked(file)]) : fs.readFileSync(file);
      if (!contents.some((content) => content.equals(bytes)))
        problems.push(`session ${sessionId} holds ${bytes.length} bytes that it never held`);
    } catch (error) {
      problems.push(`session ${sessionId}: ${String(error)}`);
    }
  }
  return problems;
}

/** The next run goes on: everything can be put back and mended, and nothing is left lying about. */
async function finish(world: World, expected: Expected): Promise<string[]> {
  const store = openSessionStore(world);
  const archive = await store.openArchive();
  for (const { sessionId, isLive } of await store.listArchive()) if (!isLive) archive.restore(sessionId);
  archive.close();
  const backup = openBackup({ home: world.home, clock: systemClock });
  for (const { sessionId, path: file } of await store.list())
    await repairTranscript(world, { sessionId, path: file }, backup);
  const mended = new Map([...expected].map(([id, contents]) => [id, [contents.at(-1)!]]));
  const litter = fs
    .readdirSync(world.configDir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("repair-"));
  return [...(await wrongIn(world, mended)), ...litter.map((name) => `left behind: ${name}`)];
}
