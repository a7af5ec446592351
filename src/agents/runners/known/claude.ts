import path from "node:path";
import { isJsonObject } from "../../../format/json-object.ts";
import { field, numberAt, textAt } from "../json-fields.ts";
import type { KnownAgent } from "./known-agent.ts";
import { usageOf, type ReadCalls } from "./model-call.ts";
import { findBelow, newCallsIn } from "./session-lines.ts";

// Of its adapter, which says only what a turn has used. Each block of a message is a line.
const readCalls: ReadCalls = ({ sessionId, env }) => {
  const folder = path.join(env["CLAUDE_CONFIG_DIR"] ?? path.join(env["HOME"] ?? "", ".claude"), "projects");
  const known = new Set<string>();
  return newCallsIn(
    () => findBelow(folder, 1, (name) => name === `${sessionId}.jsonl`),
    (line) => {
      const id = textAt(line, "message.id");
      if (line["type"] !== "assistant" || id === undefined || known.has(id)) return undefined;
      if (!isJsonObject(field(line, "message.usage"))) return undefined;
      known.add(id);
      const count = (key: string): number => numberAt(line, `message.usage.${key}`) ?? 0;
      const usage = usageOf({
        input: count("input_tokens"),
        output: count("output_tokens"),
        cacheRead: count("cache_read_input_tokens"),
        cacheWrite: count("cache_creation_input_tokens"),
      });
      const requestId = textAt(line, "requestId");
      const ids = { messageId: id, ...(requestId !== undefined && { requestId }) };
      return { model: textAt(line, "message.model"), usage, ids };
    },
  );
};

/** Its own lines have the shape of the transcript already, so its adapter is only the second choice. */
export const claude: KnownAgent = {
  name: "claude",
  starts: [
    {
      command: "claude",
      args: [],
      runner: "stream-json",
      dialect: "claude",
      tried: "claude-code 2.1.326",
      fence: { says: "its mode `default`, which asks for what its own settings do not allow" },
    },
    {
      command: "claude-agent-acp",
      args: [],
      runner: "acp",
      tried: "claude-agent-acp 0.99.1",
      fence: {
        says: "its mode `default`, which asks for what its own settings do not allow",
        mode: "default",
      },
      habits: { readCalls },
    },
  ],
};
