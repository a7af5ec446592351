import fs from "node:fs";
import path from "node:path";
import { namesIn } from "../../lib/names-in.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import { readJson } from "../../lib/read-json.ts";
import { isJsonObject } from "../../format/json-object.ts";

/** A running process of the client itself, as it says in `sessions/<pid>.json`. */
export interface ClientProcess {
  pid: number;
  sessionId: string;
  cwd?: string;
  /** As it says, or else when it said so first; milliseconds since 1970. */
  startedAt: number;
}

/** The live client process that has this session open; its file outlives a kill, so the process is looked for. */
export function findClientProcess(configDir: string, sessionId: string): ClientProcess | undefined {
  return listClientProcesses(configDir).find((process) => process.sessionId === sessionId);
}

export function listClientProcesses(configDir: string): ClientProcess[] {
  const dir = path.join(configDir, "sessions");
  return namesIn(dir).flatMap((name) => {
    const pid = /^(\d+)\.json$/.exec(name)?.[1];
    const startTime = pid === undefined ? undefined : startTimeOf(Number(pid));
    if (startTime === undefined) return [];
    const file = path.join(dir, name);
    const told = readJson(file);
    const { sessionId, cwd, procStart, startedAt } = isJsonObject(told) ? told : {};
    if (typeof sessionId !== "string") return [];
    // Newer clients tell when they started: another process may have their pid by now.
    if (typeof procStart === "string" && /^\d+$/.test(startTime) && procStart !== startTime) return [];
    const bornMs = fs.statSync(file, { throwIfNoEntry: false })?.birthtimeMs;
    const since = typeof startedAt === "number" ? startedAt : bornMs;
    if (since === undefined) return [];
    return [{ pid: Number(pid), sessionId, ...(typeof cwd === "string" && { cwd }), startedAt: since }];
  });
}
