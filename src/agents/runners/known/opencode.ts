import fs from "node:fs";
import type { DatabaseSync as DatabaseSyncType } from "node:sqlite";
import path from "node:path";
import { parseJson } from "../../../lib/read-json.ts";
import { numberAt, textAt } from "../json-fields.ts";
import type { KnownAgent } from "./known-agent.ts";
import { usageOf, type ModelCall, type ReadCalls } from "./model-call.ts";

const readCalls: ReadCalls = ({ sessionId, env }) => {
  const data = env["XDG_DATA_HOME"] ?? path.join(env["HOME"] ?? "", ".local", "share");
  const file = path.join(data, "opencode", "opencode.db");
  const known = new Set<string>();
  return () =>
    messagesOf(file, sessionId).flatMap(({ id, data: text }) => {
      const call = known.has(id) ? undefined : callOf(parseJson(text));
      if (call === undefined) return [];
      known.add(id);
      return [call];
    });
};

function messagesOf(file: string, sessionId: string): { id: string; data: string }[] {
  if (!fs.existsSync(file)) return [];
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  let database: DatabaseSyncType | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created");
    return rows.all(sessionId) as unknown as { id: string; data: string }[];
  } catch {
    // Of another version, or being written.
    return [];
  } finally {
    database?.close();
  }
}

// Its counts are there when the request is over.
function callOf(message: unknown): ModelCall | undefined {
  const input = numberAt(message, "tokens.input");
  const total = numberAt(message, "tokens.total");
  if (input === undefined || total === undefined) return undefined;
  const usage = usageOf({
    input,
    output: numberAt(message, "tokens.output") ?? 0,
    cacheRead: numberAt(message, "tokens.cache.read"),
    cacheWrite: numberAt(message, "tokens.cache.write"),
    thoughts: numberAt(message, "tokens.reasoning"),
    total,
  });
  return { model: textAt(message, "modelID"), usage };
}

const permission = {
  "*": "ask",
  read: "allow",
  glob: "allow",
  grep: "allow",
  list: "allow",
  todowrite: "allow",
};

/** It asks nobody unless its settings say so. */
export const opencode: KnownAgent = {
  name: "opencode",
  starts: [
    {
      command: "opencode",
      args: ["acp"],
      runner: "acp",
      tried: "opencode 1.18.33",
      fence: {
        says: "its permission settings, set to ask for this run",
        env: { OPENCODE_PERMISSION: JSON.stringify(permission) },
      },
      habits: { readCalls },
    },
  ],
};
