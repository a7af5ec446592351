import fs from "node:fs";
import { readJson } from "../lib/read-json.ts";
import { isJsonObject } from "../format/json-object.ts";
import type { LookContext } from "./look-context.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { lastWord, readTranscriptEnd, type OutputEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

/**
 * The truth about an agent that a client runs: its own record says that it ended, or its client lives, or another one has
 * taken it over, or it is lost.
 */
export function lookAtAgent(
  launch: LaunchLine,
  { lookMoved, isClientAlive }: Pick<LookContext, "lookMoved" | "isClientAlive">,
): Look {
  const { client, transcript = "" } = launch;
  const ended = endOfAgent(transcript);
  if (ended) return ended;
  if (client !== undefined && isClientAlive(client))
    return { status: "running", knownBy: [`client pid ${client.pid}`] };
  return lookMoved(launch) ?? lostAgent(readTranscriptEnd(transcript));
}

/** How an agent ended, by its own record; undefined while that does not say so. */
export function endOfAgent(transcript: string): Look | undefined {
  const meta = readAgentMeta(transcript);
  if (!meta?.isFinished && !meta?.isStoppedByUser) return undefined;
  const end = readTranscriptEnd(transcript);
  const last = end && lastWord(end.text);
  const common = {
    endedAt: meta.writtenAt,
    ...(last && { result: last.text }),
    knownBy: ["agent meta", "transcript"],
  };
  if (meta.isStoppedByUser) return { status: "stopped", detail: "it was stopped by the user", ...common };
  // Its client was killed before it had written down what came of it.
  if (!last)
    return {
      status: "lost",
      detail: "it ended, and its transcript has no answer: how it ended was not recorded",
      ...common,
    };
  return last.isError
    ? { status: "failed", detail: "it ended early: the API failed", ...common }
    : { status: "completed", ...common };
}

/** An agent that nobody runs any more and that has not ended. */
export function lostAgent(end: OutputEnd | undefined): Look {
  const last = end && lastWord(end.text);
  return {
    status: "lost",
    ...(end && { endedAt: end.writtenAt }),
    detail: end
      ? `it had not finished when the client that ran it was gone; its transcript was last written at ${end.writtenAt} and can be continued`
      : "the client that ran it is gone, and there is no transcript of it",
    ...(last && { result: last.text }),
    knownBy: end ? ["agent meta", "transcript"] : ["processes"],
  };
}

export interface AgentMeta {
  isFinished: boolean;
  isStoppedByUser: boolean;
  isBackground: boolean;
  agentType: string;
  description: string;
  writtenAt: string;
}

/** What the client keeps beside an agent's transcript; undefined when there is none. */
export function readAgentMeta(transcript: string): AgentMeta | undefined {
  const file = transcript.replace(/\.jsonl$/, ".meta.json");
  if (file === transcript) return undefined;
  const meta = readJson(file);
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!isJsonObject(meta) || !stat) return undefined;
  const textOf = (key: string): string => (typeof meta[key] === "string" ? meta[key] : "");
  return {
    isFinished: meta["finished"] === true,
    isStoppedByUser: meta["stoppedByUser"] === true,
    isBackground: meta["requestShape"] === "background",
    agentType: textOf("agentType"),
    description: textOf("description"),
    writtenAt: stat.mtime.toISOString(),
  };
}
