import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../format/json-object.ts";
import { readJson } from "../../lib/read-json.ts";
import { eachProjectFolder, type ProjectFolder } from "../../store/list/transcript-files.ts";
import type { HealthCheck } from "../health-check.ts";

const INDEX = "sessions-index.json";

/**
 * The index of sessions that clients kept until early 2026. One that does not agree with the folder makes those clients
 * say that there is no such session; newer ones do not look at it, and it is never needed.
 */
export const staleIndex: HealthCheck = {
  name: "stale-index",
  group: "sessions",
  run({ configDir }) {
    const stale = [...eachProjectFolder(configDir)].filter(isStale);
    if (stale.length === 0) return { status: "ok", summary: "no outdated index of a client" };
    return {
      status: "warn",
      summary: `${stale.length} ${stale.length === 1 ? "project has" : "projects have"} an index that does not match its sessions`,
      findings: stale.map((folder) => ({
        text: path.join(folder.projectKey, INDEX),
        path: path.join(folder.path, INDEX),
      })),
      suggestion: { verb: "doctor", options: { repair: true } },
      repairs: stale.map((folder) => ({
        path: path.join(folder.path, INDEX),
        text: "move the index into the backup",
        run: (backup) => void backup.take(path.join(folder.path, INDEX), { kind: "stale-index" }),
      })),
    };
  },
};

function isStale({ path: dir, sessions }: ProjectFolder): boolean {
  const file = path.join(dir, INDEX);
  if (!fs.existsSync(file)) return false;
  const indexed = idsIn(file);
  return (
    !indexed || indexed.size !== sessions.length || sessions.some(({ sessionId }) => !indexed.has(sessionId))
  );
}

function idsIn(file: string): Set<string> | undefined {
  const index = readJson(file);
  const entries = isJsonObject(index) ? index["entries"] : undefined;
  if (!Array.isArray(entries)) return undefined;
  return new Set(
    entries.flatMap((entry: unknown) =>
      isJsonObject(entry) && typeof entry["sessionId"] === "string" ? [entry["sessionId"]] : [],
    ),
  );
}
