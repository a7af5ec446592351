// Runs the benchmarks: npm run bench [-- NAME…] [--json] [--quick]
// A bench that ran at full scale is recorded in results/, and RESULTS.md is written anew from all that is there.
// Exit code 0 when every goal is reached, 1 when one is missed or two sides computed different results, 2 for bad usage.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { agents } from "./benches/agents.ts";
import { append } from "./benches/append.ts";
import { chatty } from "./benches/chatty.ts";
import { dashboard } from "./benches/dashboard.ts";
import { events } from "./benches/events.ts";
import { fleet } from "./benches/fleet.ts";
import { growth } from "./benches/growth.ts";
import { hook } from "./benches/hook.ts";
import { index } from "./benches/index.ts";
import { launch } from "./benches/launch.ts";
import { list } from "./benches/list.ts";
import { notice } from "./benches/notice.ts";
import { ps } from "./benches/ps.ts";
import { resume } from "./benches/resume.ts";
import { search } from "./benches/search.ts";
import { start } from "./benches/start.ts";
import { tail } from "./benches/tail.ts";
import { usage } from "./benches/usage.ts";
import { formatResults } from "./support/format-results.ts";
import { formatTable } from "./support/format-table.ts";
import { describeMachine } from "./support/machine.ts";
import { FULL_SCALE, QUICK_SCALE, type Bench, type BenchContext } from "./support/measure.ts";
import { readRecords, writeRecord, type BenchRecord } from "./support/records.ts";
import { runBench } from "./support/run-bench.ts";

const BENCHES: readonly Bench[] = [
  resume,
  list,
  append,
  chatty,
  tail,
  launch,
  notice,
  ps,
  events,
  agents,
  start,
  hook,
  usage,
  search,
  index,
  fleet,
  dashboard,
  growth,
];
const ROOT = path.dirname(import.meta.dirname);
const RESULTS_FILE = path.join(import.meta.dirname, "RESULTS.md");
const RECORDS_DIR = path.join(import.meta.dirname, "results");

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const wanted = readArguments();
  if (wanted === undefined) return 2;
  const { benches, json, quick } = wanted;
  buildPackage();
  const scale = quick ? QUICK_SCALE : FULL_SCALE;
  const records = await runAll(benches, scale);
  const outcomes = records.flatMap((record) => record.outcomes);

  if (json) {
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, scale, records })}\n`);
  } else {
    process.stdout.write(formatTable(outcomes));
    if (quick)
      process.stdout.write("A quick run: smaller sizes, fewer pairs. Goals hold at full scale only.\n");
  }
  for (const { bench, measure, difference, verdict } of outcomes) {
    const what = verdict === "unavailable" ? "not measured" : "results differ";
    if (difference !== undefined)
      process.stderr.write(`bench: ${bench}: ${measure}: ${what}: ${difference}\n`);
  }
  return outcomes.some(({ verdict }) => verdict === "missed" || verdict === "differed") ? 1 : 0;
}

interface Arguments {
  readonly benches: readonly Bench[];
  readonly json: boolean;
  readonly quick: boolean;
}

function readArguments(): Arguments | undefined {
  const names = BENCHES.map(({ name }) => name);
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
    });
    const unknown = positionals.find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new TypeError(`Cannot run bench "${unknown}": there are ${names.join(", ")}`);
    const wanted = positionals.length === 0 ? names : positionals;
    return { ...values, benches: BENCHES.filter(({ name }) => wanted.includes(name)) };
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    process.stderr.write("usage: npm run bench [-- NAME…] [--json] [--quick]\n");
    return undefined;
  }
}

// The candidate is the package as users run it, built from the present source.
function buildPackage(): void {
  const done = spawnSync(process.execPath, [path.join(ROOT, "scripts", "build.mjs")], {
    stdio: ["ignore", 2, 2],
  });
  if (done.status !== 0) throw new Error("Cannot run benches: the build failed");
}

async function runAll(benches: readonly Bench[], scale: BenchContext["scale"]): Promise<BenchRecord[]> {
  const cacheDir = path.join(ROOT, ".cache", "bench");
  fs.mkdirSync(cacheDir, { recursive: true });
  // Beside the corpora, not in the system's temporary folder: that may be memory, where a sync costs nothing.
  const scratchDir = fs.mkdtempSync(path.join(cacheDir, "scratch-"));
  const records: BenchRecord[] = [];
  try {
    for (const bench of benches) {
      const machine = describeMachine();
      const { outcomes, peersUsed } = await runBench(bench, { scale, cacheDir, scratchDir });
      // Without their folders, which are nobody's business.
      const peers = [...new Map(peersUsed.map(({ name, version }) => [name, { name, version }])).values()];
      const record = { bench: bench.name, measuredAt: new Date().toISOString(), machine, peers, outcomes };
      records.push(record);
      if (scale === FULL_SCALE) keep(record);
    }
  } finally {
    fs.rmSync(scratchDir, { recursive: true, force: true });
  }
  return records;
}

// After each bench, so that a run that is cut off keeps what it has measured. A quick run is no record.
function keep(record: BenchRecord): void {
  writeRecord(RECORDS_DIR, record);
  const records = readRecords(
    RECORDS_DIR,
    BENCHES.map(({ name }) => name),
  );
  fs.writeFileSync(RESULTS_FILE, formatResults(records, { benches: BENCHES }));
}
