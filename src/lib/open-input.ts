import fs from "node:fs";
import { hasProc, lookAtProcesses } from "./process-table.ts";

/**
 * Whether something can still come from a process's standard input: false once nobody holds the other end of it. True
 * where the system does not tell.
 */
export function hasOpenInput(pid: number): boolean {
  if (!hasProc()) return true;
  let input: string;
  try {
    input = fs.readlinkSync(`/proc/${pid}/fd/0`);
  } catch {
    return true;
  }
  if (input === "/dev/null") return false;
  const inode = /^(?:pipe|socket):\[(\d+)\]$/.exec(input)?.[1];
  if (inode === undefined) return true;
  return input.startsWith("pipe") ? hasWriter(input) : hasPeer(inode);
}

function hasWriter(pipe: string): boolean {
  const table = lookAtProcesses();
  return table.pids().some((pid) => table.writableFiles(pid, pipe).length > 0);
}

// A socket is held by its file, by the kernel's list, and by the other end of it as long as there is one.
const HOLDERS_WITHOUT_PEER = 2;

function hasPeer(inode: string): boolean {
  // `Num RefCount Protocol Flags Type St Inode Path`, the second one hexadecimal.
  const line = readText("/proc/net/unix")
    .split("\n")
    .find((each) => each.split(/\s+/)[6] === inode);
  const holders = line?.split(/\s+/)[1];
  return holders === undefined || Number.parseInt(holders, 16) > HOLDERS_WITHOUT_PEER;
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
