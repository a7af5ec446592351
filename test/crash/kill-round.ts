import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readConversation } from "../../src/store/read/conversation.ts";
import { leasePath, openTranscriptWriter } from "../../src/store/write/transcript-writer.ts";
import type { Rejection } from "../../src/store/line/rejection.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { startProgram } from "../support/start-program.ts";
import { waitFor } from "../support/wait-for.ts";

export interface KillRound {
  seed: number;
  acknowledged: number;
  /** Whole lines that were written but not acknowledged before the kill: allowed, and not lost either. */
  unacknowledged: number;
  torn: number;
  /** Whether the dead writer left its lease, which the next one then took over. */
  leftLease: boolean;
  /** What must not be, in words. */
  problems: string[];
}

const SESSION_ID = "5e551000-0000-4000-8000-000000000001";

/** Starts a writer with durability sync in an empty folder, kills it -9 at a random moment, checks what is left. */
export async function killRound(dir: string, seed: number): Promise<KillRound> {
  const file = path.join(dir, `${SESSION_ID}.jsonl`);
  const leaseDir = path.join(dir, "leases");
  const lines = await appendUntilKilled({ file, leaseDir, seed });
  const acknowledged = lines.filter((line) => line !== "open");
  const leftLease = fs.existsSync(leasePath(leaseDir, file));
  const problems: string[] = [];

  const before = readByHand(file);
  for (const uuid of acknowledged) {
    const times = before.uuids.filter((found) => found === uuid).length;
    if (times !== 1) problems.push(`acknowledged entry ${uuid} is in the file ${times} times`);
  }
  if (before.torn.length > 1) problems.push(`${before.torn.length} lines are torn`);

  const uuid = "5e551000-0000-4000-8000-000000000002";
  const writer = openTranscriptWriter({ file, leaseDir, sessionId: SESSION_ID, durability: "sync" });
  await writer.append({
    type: "user",
    uuid,
    parentUuid: before.uuids.at(-1) ?? null,
    message: { role: "user", content: "next" },
  });
  await writer.close();

  const { entries, rejections, gaps } = await readConversation(file);
  const uuids = entries.map((entry) => (entry as { uuid?: string }).uuid);
  const wanted = [...before.uuids, uuid];
  if (JSON.stringify(uuids) !== JSON.stringify(wanted))
    problems.push(`read ${uuids.length} entries instead of ${wanted.length}`);
  if (gaps.length > 0) problems.push(`gaps: ${JSON.stringify(gaps)}`);
  if (JSON.stringify(rejections) !== JSON.stringify(before.torn)) {
    problems.push(`rejections ${JSON.stringify(rejections)} instead of ${JSON.stringify(before.torn)}`);
  }
  if (fs.readdirSync(leaseDir).some((name) => !isLitter(name))) problems.push("the next writer left a lease");
  const unacknowledged = before.uuids.length - acknowledged.length;
  return {
    seed,
    acknowledged: acknowledged.length,
    unacknowledged,
    torn: before.torn.length,
    leftLease,
    problems,
  };
}

// A writer killed while it made its lease leaves the unfinished temporary file, which nobody takes for a lease.
function isLitter(name: string): boolean {
  return name.startsWith(".") && name.endsWith(".tmp");
}

async function appendUntilKilled(at: {
  file: string;
  leaseDir: string;
  seed: number;
}): Promise<readonly string[]> {
  const random = seededRandom(at.seed);
  const program = startProgram("append-forever", [at.file, at.leaseDir, SESSION_ID, String(at.seed)]);
  const moment = random.next();
  const linesFirst = random.between(1, 12);
  const hasBegun = (): boolean =>
    moment < 0.1 ? fs.existsSync(at.leaseDir) : program.lines.length >= linesFirst;
  await waitFor(() => hasBegun() || program.child.exitCode !== null);
  if (moment > 0.6) spinUntilLongWrite(at.file);
  else await delay(random.next() * 8);
  program.kill("SIGKILL");
  const { code } = await program.ended();
  if (code !== null) throw new Error(`The writer ended by itself: ${program.errors.join(" ")}`);
  return program.lines;
}

const LONG_WRITE_BYTES = 64 * 1024;
const SPIN_MS = 300;

// Random moments rarely hit a write that takes a millisecond; seeing the file grow by much in no time does.
function spinUntilLongWrite(file: string): void {
  const giveUpAt = performance.now() + SPIN_MS;
  let size = fs.statSync(file).size;
  while (performance.now() < giveUpAt) {
    const now = fs.statSync(file).size;
    if (now - size > LONG_WRITE_BYTES) return;
    size = now;
  }
}

/** What is in the file, found without the store: uuids of whole lines, and what is no whole line. */
function readByHand(file: string): { uuids: string[]; torn: Rejection[] } {
  const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  const uuids: string[] = [];
  const torn: Rejection[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const newline = bytes.indexOf(10, offset);
    const end = newline < 0 ? bytes.length : newline;
    try {
      uuids.push((JSON.parse(bytes.toString("utf8", offset, end)) as { uuid: string }).uuid);
    } catch {
      torn.push({ offset, length: end - offset, reason: "torn" });
    }
    offset = end + 1;
  }
  return { uuids, torn };
}
