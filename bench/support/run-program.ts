import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Side } from "./measure.ts";

const STOPWATCH = path.join(import.meta.dirname, "stopwatch.sh");
const PROGRAMS = path.join(import.meta.dirname, "..", "programs");

/**
 * A side that is one program of bench/programs/ in a fresh process: the clock runs from before its start until
 * after its end. The program prints one JSON object (programs/report.mjs).
 */
export function programSide(
  name: string,
  options: {
    args?: readonly string[];
    env?: NodeJS.ProcessEnv;
    /** A command that runs it. */
    under?: readonly string[];
  } = {},
): Side {
  const argv = [...(options.under ?? []), process.execPath, programPath(name), ...(options.args ?? [])];
  return async () => {
    const { stdout, ...times } = await runTimed(argv, options.env);
    const { vmHwmBytes, ...report } = JSON.parse(stdout) as ProgramReport;
    return { ...times, ...report, rssBytes: vmHwmBytes };
  };
}

export function programPath(name: string): string {
  return path.join(PROGRAMS, name);
}

interface ProgramReport {
  readonly result: unknown;
  readonly callMs: number;
  readonly vmHwmBytes: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** A side that is any command. What it prints is not looked at unless `resultOf` does. */
export function commandSide(
  argv: readonly string[],
  options: { env?: NodeJS.ProcessEnv; resultOf?: (stdout: string) => unknown } = {},
): Side {
  return async () => {
    const { stdout, ...times } = await runTimed(argv, options.env);
    return { ...times, result: options.resultOf?.(stdout) };
  };
}

/**
 * A side that is a command of Node's, with its peak memory: that of its largest process. Reading it takes a while, so it
 * is no side to take times of.
 */
export function peakSide(
  argv: readonly string[],
  { env, dir }: { env: NodeJS.ProcessEnv; dir: string },
): Side {
  const file = path.join(dir, "peaks");
  const reading = { NODE_OPTIONS: `--import ${programPath("peak-at-exit.mjs")}`, BENCH_PEAK_FILE: file };
  return async () => {
    fs.rmSync(file, { force: true });
    const { stdout: _, ...times } = await runTimed(argv, { ...env, ...reading });
    const peaks = fs.readFileSync(file, "utf8").trim().split("\n").map(Number);
    return { ...times, result: undefined, rssBytes: Math.max(...peaks) };
  };
}

/** The shortest thing that Node can do. */
export function bareNodeSide(): Side {
  return commandSide([process.execPath, "-e", "0"]);
}

interface TimedRun {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly stdout: string;
}

// The command is started and timed by a small shell, because a fork out of this process costs more the larger it is.
async function runTimed(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<TimedRun> {
  const child = spawn("bash", [STOPWATCH, ...argv], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, NODE_OPTIONS: undefined, LC_ALL: "C", ...env },
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [stdout, stderr, times, code] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    text(child.stdio[3] as NodeJS.ReadableStream),
    exited,
  ]);
  if (code !== 0)
    throw new Error(`Cannot run "${argv.join(" ")}": exit code ${code}: ${stderr.slice(-2000)}`);
  const [wallUs, ...cpu] = times.trim().split(/\s+/);
  // The last line of bash's `times` is its children's user and system time, as 0m1.234s.
  const cpuMs = cpu.slice(-2).reduce((sum, part) => sum + parseMinutes(part), 0) * 1000;
  return { wallMs: Number(wallUs) / 1000, cpuMs, stdout };
}

function parseMinutes(time: string): number {
  const [minutes, seconds] = time.replace("s", "").split("m");
  return Number(minutes) * 60 + Number(seconds);
}
