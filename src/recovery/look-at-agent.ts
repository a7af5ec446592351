import fs from "node:fs";
import { livenessOf } from "../lib/process-identity.ts";
import { readJson } from "../lib/read-json.ts";
import { isJsonObject } from "../format/json-object.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { lastAnswer, readTranscriptEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

/** The truth about an agent that a client runs: its own record says that it finished, or its client lives, or it is lost. */
export function lookAtAgent({ client, transcript = "" }: LaunchLine): Look {
  const meta = readAgentMeta(transcript);
  const end = readTranscriptEnd(transcript);
  const answer = end && lastAnswer(end.text);
  const result = answer === undefined ? {} : { result: answer };
  if (meta?.isFinished)
    return { status: "completed", endedAt: meta.writtenAt, ...result, knownBy: ["agent meta", "transcript"] };
  if (client !== undefined && livenessOf(client) !== "dead")
    return { status: "running", knownBy: [`client pid ${client.pid}`] };
  return {
    status: "lost",
    ...(end && { endedAt: end.writtenAt }),
    detail: end
      ? `it had not finished when the client that ran it was gone; its transcript was last written at ${end.writtenAt} and can be continued`
      : "the client that ran it is gone, and there is no transcript of it",
    ...result,
    knownBy: end ? ["agent meta", "transcript"] : ["processes"],
  };
}

export interface AgentMeta {
  isFinished: boolean;
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
    isBackground: meta["requestShape"] === "background",
    agentType: textOf("agentType"),
    description: textOf("description"),
    writtenAt: stat.mtime.toISOString(),
  };
}
