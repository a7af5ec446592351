import { McpServer } from "@modelcontextprotocol/server";
import { disarmTags } from "../../format/disarm-tags.ts";
import type { Runtime } from "../../runtime/index.ts";
import { HoldfastError } from "../../lib/errors.ts";
import { jsonText } from "../../lib/json-text.ts";
import { terminalJson } from "../../lib/terminal-text.ts";
import { Deliveries } from "./deliveries.ts";
import { mcpError } from "./errors.ts";
import { listTool } from "./list-tool.ts";
import { outputTool } from "./output-tool.ts";
import { recoverTool } from "./recover-tool.ts";
import { runTool } from "./run-tool.ts";
import { searchTool } from "./search-tool.ts";
import { sessionsTool } from "./sessions-tool.ts";
import { statusTool } from "./status-tool.ts";
import { stopTool } from "./stop-tool.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { waitTool } from "./wait-tool.ts";

const tools: readonly Tool[] = [
  runTool,
  listTool,
  statusTool,
  outputTool,
  waitTool,
  stopTool,
  recoverTool,
  sessionsTool,
  searchTool,
];

export interface McpServerOptions {
  runtime: Runtime;
  version: string;
  cwd: string;
  sessionId: string | undefined;
}

const INSTRUCTIONS =
  "Holdfast runs background work that outlives this session. run returns an id at once; wait, output, status and stop take it. recover says what ran before, also what the client itself lost track of.";

/** A server with every tool. Both eras of the protocol are served from it; see serveStdio. */
export function openMcpServer(options: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: "holdfast", version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const deliveries = new Deliveries();
  deliveries.watch(server);
  for (const tool of tools) {
    const { name, title, description, input, isReadOnly } = tool;
    server.registerTool(
      name,
      { title, description, inputSchema: unchecked(input), annotations: { readOnlyHint: isReadOnly } },
      async (args, { mcpReq }) => {
        const toolUseId = mcpReq._meta?.["claudecode/toolUseId"];
        return callTool(tool, args, {
          ...options,
          toolUseId: typeof toolUseId === "string" ? toolUseId : undefined,
          signal: mcpReq.signal,
          whenDelivered: (act) => deliveries.add(mcpReq, act),
        });
      },
    );
  }
  return server;
}

// The library would refuse what does not fit in words of its own; callTool checks it, and answers with a code.
function unchecked(input: Tool["input"]): Tool["input"] {
  const standard = { ...input["~standard"], validate: (value: unknown) => ({ value }) };
  return Object.assign(Object.create(input) as Tool["input"], { "~standard": standard });
}

function checked({ name, input }: Tool, args: unknown): unknown {
  const { data, error } = input.safeParse(args);
  if (!error) return data;
  const problems = error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw mcpError("invalid_arguments", `Cannot call "${name}": ${problems.join("; ")}`, {
    fields: { problems },
  });
}

// The door's one translation: a condition that the caller can handle is an answer with its code, a defect of ours, too.
async function callTool(
  tool: Tool,
  args: unknown,
  context: ToolContext,
): Promise<{ content: { type: "text"; text: string }[]; isError?: boolean }> {
  try {
    const answer = await tool.call(checked(tool, args) as never, context);
    return { content: [{ type: "text", text: answerText(answer, 1) }] };
  } catch (error) {
    const { code, fields } =
      error instanceof HoldfastError ? error : { code: "internal", fields: {} as Record<string, unknown> };
    const text = answerText({ error: { code, message: (error as Error).message, ...fields } });
    return { content: [{ type: "text", text }], isError: true };
  }
}

// Names, descriptions and outputs come from elsewhere. As JSON they keep their value, and hold neither what could be taken for
// a tag of the client's nor anything that cannot be seen.
function answerText(answer: unknown, indent?: number): string {
  return disarmTags(terminalJson(jsonText(answer, indent)), String.raw`\u003c`);
}
