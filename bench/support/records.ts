import fs from "node:fs";
import path from "node:path";
import type { Machine } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import type { Peer } from "./peers.ts";

/** What one run of one bench at full scale found, and where: a file of its own, so that benches can be run one by one. */
export interface BenchRecord {
  readonly bench: string;
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly peers: readonly Pick<Peer, "name" | "version">[];
  readonly outcomes: readonly Outcome[];
}

export function writeRecord(dir: string, record: BenchRecord): void {
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, `${record.bench}.json`), `${JSON.stringify(record, undefined, 2)}\n`);
}

/** The records of these benches that are there, in the order of the names. */
export function readRecords(dir: string, names: readonly string[]): BenchRecord[] {
  return names
    .map((name) => path.join(dir, `${name}.json`))
    .filter((file) => fs.existsSync(file))
    .map((file) => JSON.parse(fs.readFileSync(file, "utf8")) as BenchRecord);
}
