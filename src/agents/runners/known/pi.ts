import path from "node:path";
import { numberAt, textAt } from "../json-fields.ts";
import type { KnownAgent } from "./known-agent.ts";
import { usageOf, type ModelCall, type ReadCalls } from "./model-call.ts";
import { findBelow, newCallsIn } from "./session-lines.ts";

const readCalls: ReadCalls = ({ sessionId, env }) => {
  const folder = path.join(env["HOME"] ?? "", ".pi", "agent", "sessions");
  return newCallsIn(() => findBelow(folder, 1, (name) => name.endsWith(`_${sessionId}.jsonl`)), callOf);
};

function callOf(line: Record<string, unknown>): ModelCall | undefined {
  const input = numberAt(line, "message.usage.input");
  if (line["type"] !== "message" || input === undefined) return undefined;
  const usage = usageOf({
    input,
    output: numberAt(line, "message.usage.output") ?? 0,
    cacheRead: numberAt(line, "message.usage.cacheRead"),
    cacheWrite: numberAt(line, "message.usage.cacheWrite"),
    thoughts: numberAt(line, "message.usage.reasoning"),
    total: numberAt(line, "message.usage.totalTokens"),
  });
  return { model: textAt(line, "message.model"), usage };
}

export const pi: KnownAgent = {
  name: "pi",
  starts: [
    {
      command: "pi-acp",
      args: [],
      runner: "acp",
      tried: "pi 0.87.1 with pi-acp 0.0.34",
      fence: "none",
      habits: { titlesAreCommands: true, readCalls },
    },
  ],
};
