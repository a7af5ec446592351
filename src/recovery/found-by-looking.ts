import path from "node:path";
import { isSafeName } from "../format/paths.ts";
import { namesIn } from "../lib/names-in.ts";
import { readJson } from "../lib/read-json.ts";
import { isJsonObject } from "../format/json-object.ts";
import { findAgents } from "./found-agents.ts";
import { findCommands } from "./found-commands.ts";
import { isOld, modifiedAt } from "./found-files.ts";
import type { LookingOptions } from "./looking-options.ts";
import type { RecoveredItem } from "./recovered-item.ts";

/**
 * Work of the client that no hook told of: its background sessions, agents and commands. Reads the client's files and
 * never writes them.
 */
export function findByLooking(options: LookingOptions): RecoveredItem[] {
  const { sessionId, known } = options;
  const found = [...backgroundSessions(options), ...findAgents(options), ...findCommands(options)];
  const isWanted = (item: RecoveredItem): boolean =>
    sessionId === undefined || item.status === "running" || item.sessionId === sessionId;
  return found.filter((item) => !known.has(item.id) && isWanted(item));
}

const jobStatus: Record<string, RecoveredItem["status"]> = {
  working: "running",
  blocked: "running",
  idle: "running",
  done: "completed",
  failed: "failed",
  stopped: "stopped",
};

// `claude --bg`: a folder a session, with its state.
function backgroundSessions({ configDir, projectDir, clock }: LookingOptions): RecoveredItem[] {
  const dir = path.join(configDir, "jobs");
  return namesIn(dir)
    .filter(isSafeName)
    .flatMap((id): RecoveredItem[] => {
      const file = path.join(dir, id, "state.json");
      const job = readJson(file);
      if (!isJsonObject(job)) return [];
      const state = textOf(job, "state");
      const status = state === undefined ? undefined : jobStatus[state];
      const cwd = textOf(job, "cwd");
      if (status === undefined || cwd === undefined) return [];
      if (projectDir !== undefined && cwd !== projectDir) return [];
      const writtenAt = modifiedAt(file);
      if (status !== "running" && isOld(writtenAt, clock)) return [];
      const prompt = textOf(job, "intent") ?? "";
      const sessionId = textOf(job, "sessionId");
      return [
        {
          id,
          kind: "session",
          owner: "client",
          description: textOf(job, "name") ?? prompt,
          prompt,
          cwd,
          ...(sessionId !== undefined && { sessionId }),
          status,
          startedAt: timeOf(job["startedAt"]) ?? writtenAt,
          ...(status !== "running" && { endedAt: writtenAt }),
          ...(state === "blocked" && { detail: "it waits for an answer" }),
          fingerprint: "",
          knownBy: ["job state"],
          seenBy: [],
          // Whether anybody has looked at it is not known; the client lists it itself.
          isUnseen: false,
        },
      ];
    });
}

function textOf(object: Record<string, unknown>, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeOf(value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
