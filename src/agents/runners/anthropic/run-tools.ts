import path from "node:path";
import { concurrentToolsMax } from "./limits.ts";
import { messageOf } from "../../../lib/errors.ts";
import type { ContentPart, RunnerEvent, RunnerRequest } from "../../../tasks/ports.ts";
import { realPath } from "../../../lib/real-path.ts";
import { failure, type Tool, type ToolCall, type ToolOutcome, type ToolPlace } from "./tools/tool.ts";

export interface ToolUse {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Why it must not run, whatever it is. */
  refusal: string | undefined;
}

export interface ToolRun {
  /** One for each use, in their order. */
  results: ContentPart[];
  /** Who was asked said no, and that the agent is to stop. */
  isInterrupted: boolean;
}

export interface ToolRunOptions {
  tools: readonly Tool[];
  place: ToolPlace;
  askPermission: RunnerRequest["askPermission"];
  whyDenied: RunnerRequest["whyDenied"];
  signal: AbortSignal;
}

/**
 * Runs the tool uses of a message and tells each result as soon as those before it are told. Neighbours that may run at
 * the same time do; the others run in order. Never throws: a tool that is unknown, refused, broken off or broken has a
 * result, too, in words that help the model.
 */
export async function* runTools(
  uses: readonly ToolUse[],
  options: ToolRunOptions,
): AsyncGenerator<RunnerEvent, ToolRun> {
  const results: ContentPart[] = [];
  let isInterrupted = false;
  for (const batch of inBatches(uses.map((use) => prepare(use, options.tools)))) {
    const running: Promise<ToolOutcome>[] = [];
    for (const prepared of batch) {
      // Asked for once: what is judged is what is opened, whatever becomes of links meanwhile.
      const permitted = { ...options, realPath: fileOf(prepared, options.place.cwd) };
      const refusal: Refusal | undefined = isInterrupted ? notRun : await whyNot(prepared, permitted);
      isInterrupted ||= refusal?.isInterrupt === true;
      running.push(refusal ? Promise.resolve(refusal) : run(prepared, permitted));
    }
    for (const [index, outcome] of running.entries()) {
      const { content, isError, toolUseResult, todos } = await outcome;
      const result: ContentPart = {
        type: "tool_result",
        tool_use_id: batch[index]!.use.id,
        content,
        ...(isError && { is_error: true }),
      };
      results.push(result);
      if (todos) yield { kind: "todos", todos };
      yield { kind: "user", message: { role: "user", content: [result] }, toolUseResult };
    }
  }
  return { results, isInterrupted };
}

interface PreparedUse {
  use: ToolUse;
  tool?: Tool;
  call: ToolCall | { refusal: string };
}

function prepare(use: ToolUse, tools: readonly Tool[]): PreparedUse {
  if (use.refusal !== undefined) return { use, call: { refusal: use.refusal } };
  const tool = tools.find(({ name }) => name === use.name);
  if (tool) return { use, tool, call: tool.prepare(use.input) };
  const names = tools.map(({ name }) => name).join(", ");
  return { use, call: { refusal: `There is no tool "${use.name}"; the tools are: ${names}` } };
}

function inBatches(prepared: readonly PreparedUse[]): PreparedUse[][] {
  const batches: PreparedUse[][] = [];
  for (const each of prepared) {
    const last = batches.at(-1);
    const isTogether = each.tool?.isConcurrent && last?.[0]?.tool?.isConcurrent;
    if (last && isTogether && last.length < concurrentToolsMax) last.push(each);
    else batches.push([each]);
  }
  return batches;
}

interface PermittedOptions extends ToolRunOptions {
  /** Where the file of the use really is; no other is opened. */
  realPath: string | undefined;
}

function fileOf({ call }: PreparedUse, cwd: string): string | undefined {
  const file = "refusal" in call ? undefined : call.file;
  return file === undefined ? undefined : realPath(path.resolve(cwd, file));
}

/** The result of a use that may not run. */
type Refusal = ToolOutcome & { isInterrupt?: boolean };

const notRun: Refusal = failure("Not run: the person stopped the work at an earlier tool use");
const aborted: ToolOutcome = failure("Interrupted: this was not run");

// One question after the other, whatever runs side by side: people answer one at a time.
async function whyNot(
  { use, tool, call }: PreparedUse,
  options: PermittedOptions,
): Promise<Refusal | undefined> {
  if ("refusal" in call) return failure(call.refusal);
  if (options.signal.aborted) return aborted;
  const real = options.realPath === undefined ? {} : { realPath: options.realPath };
  const request = { toolUseId: use.id, tool: use.name, input: call.input, title: call.title, ...real };
  if (!tool?.needsPermission) {
    const why = await options.whyDenied?.(request);
    return why === undefined ? undefined : denied(why);
  }
  try {
    const answer = await options.askPermission(request, options.signal);
    if (answer.behavior === "allow") return options.signal.aborted ? aborted : undefined;
    return { ...denied(answer.message), isInterrupt: answer.interrupt === true };
  } catch (error) {
    if (options.signal.aborted) return aborted;
    return failure(`Nobody could be asked for permission: ${messageOf(error)}`);
  }
}

function denied(why: string): ToolOutcome {
  return failure(`Permission denied: ${why}`);
}

async function run(
  { use, call }: PreparedUse,
  { place, signal, realPath: real }: PermittedOptions,
): Promise<ToolOutcome> {
  if ("refusal" in call) return failure(call.refusal);
  try {
    return await call.run({ ...place, toolUseId: use.id, signal, realPath: real });
  } catch (error) {
    return signal.aborted ? aborted : failure(messageOf(error));
  }
}
