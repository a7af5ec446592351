import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../../format/paths.ts";
import { writeFileAtomic } from "../../../lib/atomic-write.ts";
import { namesIn } from "../../../lib/names-in.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "../../../lib/process-identity.ts";
import { readJson } from "../../../lib/read-json.ts";

/** A server that runs on this home, for a later `holdfast open`. */
export interface AnnouncedServer {
  schemaVersion: 1;
  origin: string;
  /** Only for whoever may read the home. */
  token: string;
  startedAt: string;
  process: ProcessIdentity;
}

/** Writes that this process serves. Returns what takes it back. On a disk that is full it is not written: nothing else needs it. */
export function announceServer(home: string, server: Pick<AnnouncedServer, "origin" | "token">): () => void {
  const dir = holdfastPaths(home).serversDir;
  const file = path.join(dir, `${process.pid}-${new URL(server.origin).port}.json`);
  const announced: AnnouncedServer = {
    schemaVersion: 1,
    ...server,
    startedAt: new Date().toISOString(),
    process: currentProcess(),
  };
  try {
    ensurePrivateDir(dir, undefined, 2);
    writeFileAtomic(file, `${JSON.stringify(announced)}\n`, { isDurable: false });
  } catch {
    /* see above */
  }
  return () => removeQuietly(file);
}

/** The servers of a home that run, newest first. What a killed one left is removed. */
export function findServers(home: string): AnnouncedServer[] {
  const dir = holdfastPaths(home).serversDir;
  return namesIn(dir)
    .flatMap((name) => {
      const file = path.join(dir, name);
      const server = readJson(file) as AnnouncedServer | null | undefined;
      if (server?.schemaVersion === 1 && livenessOf(server.process) === "alive") return [server];
      if (server?.schemaVersion === 1 && livenessOf(server.process) === "dead") removeQuietly(file);
      return [];
    })
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

function removeQuietly(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    /* The next one who looks sees that its process is gone. */
  }
}
