import path from "node:path";
import { numberAt, textAt } from "../json-fields.ts";
import type { KnownAgent } from "./known-agent.ts";
import { usageOf, type ModelCall, type ReadCalls } from "./model-call.ts";
import { findBelow, newCallsIn } from "./session-lines.ts";

const readCalls: ReadCalls = ({ sessionId, env }) => {
  const folder = path.join(env["HOME"] ?? "", ".gemini", "tmp");
  const ending = `-${sessionId.slice(0, 8)}.jsonl`;
  return newCallsIn(() => findBelow(folder, 2, (name) => name.endsWith(ending)), callOf);
};

function callOf(line: Record<string, unknown>): ModelCall | undefined {
  const input = numberAt(line, "tokens.input");
  if (line["type"] !== "gemini" || input === undefined) return undefined;
  const usage = usageOf({
    input,
    output: numberAt(line, "tokens.output") ?? 0,
    cacheRead: numberAt(line, "tokens.cached"),
    thoughts: numberAt(line, "tokens.thoughts"),
    total: numberAt(line, "tokens.total"),
  });
  return { model: textAt(line, "model"), usage };
}

/** It takes the error for a missing file of ours as a fault, and so could not make a file. */
export const gemini: KnownAgent = {
  name: "gemini",
  starts: [
    {
      command: "gemini",
      args: ["--acp"],
      runner: "acp",
      tried: "gemini-cli 0.61.0",
      fence: { says: "its mode `default`, which asks for edits and commands", mode: "default" },
      habits: { titlesAreCommands: true, usesOwnFiles: true, readCalls },
    },
  ],
};
