import { KnownFiles } from "../../src/agents/runners/anthropic/tools/known-files.ts";
import type { Tool, ToolContext, ToolOutcome } from "../../src/agents/runners/anthropic/tools/tool.ts";
import { runnerRequest } from "./runner-request.ts";
import { basicEnv } from "./task-world.ts";
import { tempDir } from "./temp-dir.ts";

/** What a tool of the anthropic runner needs, in a new folder unless one is given. */
export function toolContext(given: Partial<ToolContext> = {}): ToolContext {
  const cwd = given.cwd ?? tempDir();
  return {
    cwd,
    env: basicEnv,
    tasks: runnerRequest({ cwd }).request.tasks,
    knownFiles: new KnownFiles(),
    todos: { current: [] },
    toolUseId: "toolu_1",
    signal: new AbortController().signal,
    ...given,
  };
}

/** Calls a tool as the runner does; an input that it refuses throws. */
export function callTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const call = tool.prepare(input);
  if ("refusal" in call) throw new Error(call.refusal);
  return call.run(context);
}

/** How a failure looks. */
export function failed(text: string): ToolOutcome {
  return { content: text, isError: true, toolUseResult: `Error: ${text}` };
}
