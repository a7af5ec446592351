import fs from "node:fs";
import type { ProcessTable } from "./running-process.ts";

/** The processes as /proc shows them. Nothing is kept, so an answer is as old as the question. */
export const procTable: ProcessTable = {
  pids: () =>
    namesIn("/proc")
      .filter((name) => /^\d/.test(name))
      .map(Number),
  read(pid) {
    const stat = readText(`/proc/${pid}/stat`);
    // The name is in parentheses and may hold spaces and parentheses itself.
    const nameEnd = stat.lastIndexOf(")");
    const [state = "", parent, group, session, ...rest] = stat.slice(nameEnd + 2).split(" ");
    const startTime = rest[15];
    if (startTime === undefined || state === "Z" || state === "X") return undefined;
    const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
    return { pid, name, parent: Number(parent), group: Number(group), session: Number(session), startTime };
  },
  environment(pid) {
    const text = readText(`/proc/${pid}/environ`);
    return text === "" ? "" : `\0${text}\0`;
  },
  command: (pid) => readText(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
  workingDir: (pid) => readLink(`/proc/${pid}/cwd`),
  writableFiles: (pid, ending) =>
    namesIn(`/proc/${pid}/fd`).flatMap((fd) => {
      const file = readLink(`/proc/${pid}/fd/${fd}`)?.replace(/ \(deleted\)$/, "");
      return file?.endsWith(ending) && mayWrite(pid, fd) ? [file] : [];
    }),
};

const ACCESS_MODE = 0o3;

function mayWrite(pid: number, fd: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readText(`/proc/${pid}/fdinfo/${fd}`))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & ACCESS_MODE) !== fs.constants.O_RDONLY;
}

function readText(file: string, encoding: "latin1" | "utf8" = "latin1"): string {
  return quietly(() => fs.readFileSync(file, encoding)) ?? "";
}

function readLink(file: string): string | undefined {
  return quietly(() => fs.readlinkSync(file));
}

function namesIn(dir: string): string[] {
  return quietly(() => fs.readdirSync(dir)) ?? [];
}

function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
