import path from "node:path";
import { numberAt, textAt } from "../json-fields.ts";
import type { KnownAgent } from "./known-agent.ts";
import { usageOf, type ModelCall, type ReadCalls } from "./model-call.ts";
import { newCallsIn } from "./session-lines.ts";

const readCalls: ReadCalls = ({ sessionId, env }) => {
  const folder = env["COPILOT_HOME"] ?? path.join(env["HOME"] ?? "", ".copilot");
  return newCallsIn(() => path.join(folder, "session-state", sessionId, "events.jsonl"), callOf);
};

// What was cached is counted within the input, and what was thought within the output.
function callOf(line: Record<string, unknown>): ModelCall | undefined {
  const input = numberAt(line, "data.usage.inputTokens");
  if (line["type"] !== "session.usage_record" || input === undefined) return undefined;
  const output = numberAt(line, "data.usage.outputTokens") ?? 0;
  const usage = usageOf({
    input,
    output,
    cacheRead: numberAt(line, "data.usage.cacheReadTokens"),
    cacheWrite: numberAt(line, "data.usage.cacheWriteTokens"),
    total: input + output,
  });
  return { model: textAt(line, "data.usage.model"), usage };
}

export const copilot: KnownAgent = {
  name: "copilot",
  starts: [
    {
      command: "copilot",
      args: ["--acp"],
      runner: "acp",
      tried: "copilot 1.0.102",
      fence: {
        says: "its mode `agent` with `allow_all` off, which asks for edits and commands",
        mode: "https://agentclientprotocol.com/protocol/session-modes#agent",
        options: { allow_all: "off" },
      },
      habits: { readCalls },
    },
  ],
};
