import path from "node:path";
import { numberAt, textAt } from "../json-fields.ts";
import type { KnownAgent } from "./known-agent.ts";
import { usageOf, type ReadCalls } from "./model-call.ts";
import { findBelow, newCallsIn } from "./session-lines.ts";

/** The requests in a rollout of Codex: what was cached counts within the input, what was thought within the output. */
export const readCodexCalls: ReadCalls = ({ sessionId, env }) => {
  const folder = path.join(env["CODEX_HOME"] ?? path.join(env["HOME"] ?? "", ".codex"), "sessions");
  let model: string | undefined;
  return newCallsIn(
    () => findBelow(folder, 3, (name) => name.endsWith(`-${sessionId}.jsonl`)),
    (line) => {
      if (line["type"] === "turn_context") model = textAt(line, "payload.model");
      const input = numberAt(line, "payload.usage.input_tokens");
      if (line["type"] !== "token_usage_record" || input === undefined) return undefined;
      const output = numberAt(line, "payload.usage.output_tokens") ?? 0;
      const usage = usageOf({
        input,
        output,
        cacheRead: numberAt(line, "payload.usage.cached_input_tokens"),
        cacheWrite: numberAt(line, "payload.usage.cache_write_input_tokens"),
        total: input + output,
      });
      return { model, usage };
    },
  );
};

/** Only its adapter can ask in the middle of its work. The adapter's own default reviews by itself and asks nobody. */
export const codex: KnownAgent = {
  name: "codex",
  starts: [
    {
      command: "codex-acp",
      args: [],
      runner: "acp",
      tried: "codex-acp 2.6.0",
      fence: {
        says: "its mode `read-only`: a sandbox, and it asks for whatever needs more",
        mode: "read-only",
      },
      habits: { tools: { exec_command: "Bash", apply_patch: "Edit" }, readCalls: readCodexCalls },
    },
    {
      command: "codex",
      args: [],
      runner: "stream-json",
      dialect: "codex",
      tried: "codex 0.169.0",
      fence: {
        says: "its sandbox, which only reads unless one question, asked before it starts, is allowed",
      },
    },
  ],
};
