import { spawnSync } from "node:child_process";
import path from "node:path";
import type { BenchContext } from "./measure.ts";

const PROGRAMS = path.join(import.meta.dirname, "..", "programs");

/** Compiles a C program of bench/programs/ and returns its path: some things are too small to be measured in Node. */
export function compileProgram(name: string, { scratchDir }: BenchContext): string {
  const binary = path.join(scratchDir, path.basename(name, ".c"));
  const done = spawnSync("cc", ["-O2", "-o", binary, path.join(PROGRAMS, name)], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot compile "${name}": ${done.error?.message ?? done.stderr}`);
  return binary;
}
