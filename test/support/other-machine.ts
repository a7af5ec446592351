import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { findPrograms } from "../../src/lib/find-programs.ts";

/** See test/portable/enter-machine.sh. */
export const machineMakes = ["bsd", "bsd-hiding", "busybox", "plain"] as const;
export interface OtherMachine {
  make: (typeof machineMakes)[number];
  /** What /bin/sh is there: one of `machineShells`. */
  shell: string;
  /** An empty folder, which the machine is made in. */
  folder: string;
}

/** By the names of their programs; each knows by the name `sh` what it has to be. */
export const machineShells = ["dash", "bash", "zsh", "busybox", "mksh", "yash"] as const;

const SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin";
const enter = fileURLToPath(new URL("../portable/enter-machine.sh", import.meta.url));

/** Where a program of the system is. */
export function findProgram(name: string): string | undefined {
  return findPrograms(name, SYSTEM_PATH)[0];
}

/** The words that run a command on such a machine. Whatever it starts ends with it. */
export function onMachine({ make, shell, folder }: OtherMachine, command: readonly string[]): string[] {
  const program = findProgram(shell);
  if (program === undefined) throw new Error(`Cannot make a machine: ${shell} is not installed`);
  const words = ["unshare", "-m", "-p", "-f", "--kill-child", "setsid", "/bin/sh", enter];
  return [...words, folder, make, program, ...command];
}

/** Why no such machine can be made here; undefined when it can. */
export function whyNoMachine(): string | undefined {
  if (process.platform !== "linux") return "machines of another make are made on Linux";
  const missing = ["unshare", "setsid", "mount", "perl", "ps", "lsof", "sysctl"].filter(
    (name) => findProgram(name) === undefined,
  );
  if (missing.length > 0) return `machines of another make need ${missing.join(", ")}`;
  if (process.getuid?.() !== 0) return "machines of another make need root";
  const probe = ["-m", "-p", "-f", "--kill-child", "mount", "-t", "proc", "proc", "/proc"];
  if (spawnSync("unshare", probe).status !== 0) return "machines of another make need the right to mount";
  return undefined;
}

/** Where tests look at real processes, whatever the product sees of them. */
export const realProc: string = process.env["HOLDFAST_TEST_PROC"] ?? "/proc";

/** Whether the tools are busybox's. */
export const isOnAlpine: boolean = process.env["HOLDFAST_TEST_MAKE"] === "busybox";

/** Whether the product sees no /proc. */
export const isWithoutProc: boolean = !fs.existsSync("/proc/self/stat");
