import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createFileAtomic, writeFileAtomic } from "../../src/lib/atomic-write.ts";
import type { FileOps } from "../../src/lib/file-ops.ts";
import { currentProcess } from "../../src/lib/process-identity.ts";
import {
  leasePath,
  openTranscriptWriter,
  type TranscriptWriter,
} from "../../src/store/write/transcript-writer.ts";
import { failingFileOps, tempDir, type FileFault } from "../support/index.ts";

const SESSIONS = ["a", "b"] as const;
const COPY = '{"type":"copied"}\n'.repeat(2000);
const OLD_NOTE = '{"note":"old"}';
const KNOWN_NAMES = new Set([
  "leases",
  "note.json",
  "projects",
  "projects/a.jsonl",
  "projects/b.jsonl",
  "projects/copy.jsonl",
]);
const NEW_NOTE = '{"note":"new"}';

interface Scenario {
  dir: string;
  leaseDir: string;
  fileOf: (session: string) => string;
}

// Session "a" has a torn line from its last writer, whose lease is still there; session "b" is new.
function prepare(): Scenario {
  const dir = tempDir();
  const leaseDir = path.join(dir, "leases");
  const fileOf = (session: string): string => path.join(dir, "projects", `${session}.jsonl`);
  fs.mkdirSync(leaseDir);
  fs.mkdirSync(path.dirname(fileOf("a")));
  fs.writeFileSync(fileOf("a"), '{"type":"user","id":"a0"}\n{"type":"us');
  const dead = { ...currentProcess(), startTime: "1", token: "0123456789abcdef01234567", subject: "a" };
  fs.writeFileSync(leasePath(leaseDir, fileOf("a")), JSON.stringify(dead));
  fs.writeFileSync(path.join(dir, "note.json"), OLD_NOTE);
  return { dir, leaseDir, fileOf };
}

/** Everything durable, once: two writers, five entries, a whole new file, a replaced one. Says what it was promised. */
async function run({ dir, leaseDir, fileOf }: Scenario, files: FileOps): Promise<string[]> {
  const promised: string[] = [];
  const open = (session: string): TranscriptWriter | undefined =>
    attempt(() =>
      openTranscriptWriter({
        file: fileOf(session),
        leaseDir,
        sessionId: session,
        durability: "sync",
        files,
      }),
    );
  const writers = { a: open("a"), b: open("b") };
  const append = async (session: "a" | "b", id: string): Promise<void> => {
    await writers[session]?.append({ type: "user", id }).then(() => promised.push(id), ignore);
  };
  await append("a", "a1");
  await Promise.all([append("a", "a2"), append("a", "a3"), append("b", "b1")]);
  await append("b", "b2");
  await writers.a?.close().catch(ignore);
  await writers.b?.close().catch(ignore);
  if (attempt(() => createFileAtomic(fileOf("copy"), COPY, { files }) ?? true)) promised.push("copy");
  if (attempt(() => writeFileAtomic(path.join(dir, "note.json"), NEW_NOTE, { files }) ?? true))
    promised.push("note");
  return promised;
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const ignore = (): void => {};

/** What is wrong in the folder afterwards, in words. Takes every lease, so that a later writer is known to get it. */
async function problemsOf({ dir, leaseDir, fileOf }: Scenario, promised: string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const session of SESSIONS) {
    const writer = openTranscriptWriter({ file: fileOf(session), leaseDir, sessionId: session });
    await writer.append({ type: "user", id: `${session}-next` });
    await writer.close();
    const ids = idsOf(fileOf(session));
    const wanted = [
      ...(session === "a" ? ["a0"] : []),
      ...promised.filter((id) => id.startsWith(session)),
      `${session}-next`,
    ];
    for (const id of wanted)
      if (ids.filter((found) => found === id).length !== 1) problems.push(`${id} is not there once`);
    if (ids.at(-1) !== `${session}-next`) problems.push(`the next append to ${session} is not clean`);
    // The one that was torn before, and at most one more.
    if (ids.filter((id) => id === "torn").length > (session === "a" ? 2 : 1))
      problems.push(`${session} is torn too often`);
  }
  const copy = fs.existsSync(fileOf("copy")) ? fs.readFileSync(fileOf("copy"), "utf8") : undefined;
  if (copy !== COPY && (copy !== undefined || promised.includes("copy"))) problems.push("half a new file");
  const note = fs.readFileSync(path.join(dir, "note.json"), "utf8");
  if (note !== NEW_NOTE && (note !== OLD_NOTE || promised.includes("note")))
    problems.push("half a replaced file");
  const litter = (fs.readdirSync(dir, { recursive: true }) as string[]).filter(
    (name) => !KNOWN_NAMES.has(name),
  );
  if (litter.length > 0) problems.push(`left behind: ${litter.join(" ")}`);
  return problems;
}

function idsOf(file: string): string[] {
  const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => attempt(() => (JSON.parse(line) as { id: string }).id) ?? "torn");
}

const faults: FileFault[] = [
  { call: "write", error: "EIO" },
  { call: "write", error: "ENOSPC" },
  { call: "write", short: true },
  { call: "write", short: true, error: "ENOSPC" },
  { call: "sync", error: "EIO" },
  { call: "sync", error: "ENOSPC" },
  { call: "rename", error: "EIO" },
  { call: "rename", error: "ENOSPC" },
  { call: "link", error: "EIO" },
  { call: "link", error: "ENOSPC" },
  { call: "open", error: "EIO" },
  { call: "open", error: "ENOSPC" },
];

test.each(faults)("nothing acknowledged is lost when the nth call fails, for every n: %j", async (fault) => {
  const counting = failingFileOps(Infinity, fault);
  expect((await run(prepare(), counting.files)).sort()).toEqual([
    "a1",
    "a2",
    "a3",
    "b1",
    "b2",
    "copy",
    "note",
  ]);
  const calls = counting.calls();
  expect(calls).toBeGreaterThan(1);
  const failures: Record<number, string[]> = {};
  for (let n = 1; n <= calls; n++) {
    const scenario = prepare();
    const descriptors = fs.readdirSync("/proc/self/fd").length;
    const promised = await run(scenario, failingFileOps(n, fault).files);
    const problems = await problemsOf(scenario, promised);
    if (fs.readdirSync("/proc/self/fd").length !== descriptors) problems.push("a descriptor is still open");
    // A short write alone is no failure: the rest is written by the next call.
    if ((fault.error === undefined) !== (promised.length === 7))
      problems.push(`promised ${promised.join(" ")}`);
    if (problems.length > 0) failures[n] = problems;
  }
  expect(failures).toEqual({});
  process.stdout.write(`each of ${calls} calls failed once: ${JSON.stringify(fault)}\n`);
});
