import { z } from "zod";
import { commandOutputBytesMax, commandTimeoutMs, commandTimeoutMsMax } from "./limits.ts";
import { taskDescriptionLengthMax } from "../../../../format/limits.ts";
import { oneLine } from "../../../../format/short-text.ts";
import { beginningOf } from "../../../../lib/whole-characters.ts";
import { findBash } from "../../../../lib/find-bash.ts";
import { liveOutput } from "../../live-output.ts";
import { runCommand, type CommandEnd, type CommandPlace } from "./run-command.ts";
import { WholeOutput } from "./whole-output.ts";
import { defineTool, failure, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const schema = z.object({
  command: z.string().min(1).describe("What bash is to run"),
  description: z.string().optional().describe("What it does, in five to ten words"),
  timeout: z
    .number()
    .positive()
    .max(commandTimeoutMsMax)
    .optional()
    .describe(`Milliseconds after which it is stopped; ${commandTimeoutMs} unless given`),
  run_in_background: z
    .boolean()
    .optional()
    .describe("Start it as a background task and go on; it outlives this conversation"),
});

type BashInput = z.infer<typeof schema>;

export const bashTool: Tool = defineTool({
  name: "Bash",
  description: `Runs a command in bash and gives its output and exit code.

- Every command starts in the working folder; a \`cd\` does not last beyond its command.
- There is no terminal and no input: pass what a program would ask for as arguments.
- Of a long output you get the beginning and the end, and the file in which all of it is.
- Builds, servers, watchers and whatever takes minutes: run_in_background. You get an id at once, are told when it ends, and read it with TaskOutput.`,
  schema,
  needsPermission: true,
  title: ({ command, run_in_background: isBackground }) =>
    `Run ${isBackground ? "in the background: " : ""}${oneLine(command)}`,
  run: (input, context) => (input.run_in_background ? startTask(input, context) : runNow(input, context)),
});

async function startTask(
  { command, description, timeout }: BashInput,
  { cwd, env, tasks, toolUseId }: ToolContext,
): Promise<ToolOutcome> {
  const { taskId, outputFile } = await tasks.startShell({
    command,
    cwd,
    env: { SHELL: shellOf(env) },
    toolUseId,
    ...(description !== undefined && { description: beginningOf(description, taskDescriptionLengthMax) }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
  });
  return {
    content: `Command running in background with ID: ${taskId}. Output is being written to: ${outputFile}`,
    toolUseResult: { ...resultOf({ stdout: "", stderr: "" }), backgroundTaskId: taskId },
  };
}

async function runNow({ command, timeout }: BashInput, context: ToolContext): Promise<ToolOutcome> {
  const { cwd, env, signal, toolUseId, tellOutput, keepOutput } = context;
  const timeoutMs = timeout ?? commandTimeoutMs;
  const live = liveOutput(tellOutput && ((text) => tellOutput({ toolUseId, text })));
  const whole = keepOutput && new WholeOutput(() => keepOutput("Bash"), wholeOutputLimits);
  const onOutput: CommandPlace["onOutput"] = (chunk, stream) => {
    live(chunk);
    whole?.add(chunk, stream);
  };
  let end: CommandEnd | undefined;
  let kept: ReturnType<WholeOutput["close"]>;
  try {
    end = await runCommand(command, { shell: shellOf(env), cwd, env, timeoutMs, signal, onOutput });
  } finally {
    kept = whole?.close({ isCut: end?.isCut === true });
  }
  const printed = [
    ...[end.stdout, end.stderr].map((text) => text.trimEnd()).filter((text) => text !== ""),
    ...(end.isCut && whole ? [kept?.pointer ?? NOT_KEPT] : []),
  ];
  const result = { ...resultOf(end), ...persisted(kept) };
  const problem = problemOf(end, timeoutMs);
  if (problem === undefined) return { content: printed.join("\n") || "(no output)", toolUseResult: result };
  const outcome = failure([problem, ...printed].join("\n"));
  return end.stoppedBy === undefined ? outcome : { ...outcome, toolUseResult: result };
}

// Where the result leaves nothing out, no file is made: one stream alone may be as long.
const wholeOutputLimits = { resultBytesMax: 2 * commandOutputBytesMax };
const NOT_KEPT = "What is left out here could not be kept: no file could be written.";

// As the client says it of its own.
function persisted(kept: ReturnType<WholeOutput["close"]>): object {
  return kept ? { persistedOutputPath: kept.path, persistedOutputSize: kept.bytes } : {};
}

/** The shell of agents: bash, whose grammar rules are decided by; where there is none, every command is asked about. */
export function shellOf(env: ToolContext["env"]): string {
  return findBash(env) ?? env["SHELL"] ?? "/bin/sh";
}

function problemOf({ exitCode, exitSignal, stoppedBy }: CommandEnd, timeoutMs: number): string | undefined {
  if (stoppedBy === "abort") return "Interrupted: the command was stopped before it ended";
  if (stoppedBy === "timeout")
    return `Stopped after ${timeoutMs} ms, with everything that it started; run it in the background, or give it a longer timeout (up to ${commandTimeoutMsMax} ms)`;
  if (exitSignal !== null) return `Ended by ${exitSignal}`;
  return exitCode === 0 ? undefined : `Exit code ${exitCode}`;
}

function resultOf({
  stdout,
  stderr,
  stoppedBy,
}: Pick<CommandEnd, "stdout" | "stderr" | "stoppedBy">): object {
  return {
    stdout: stdout.trimEnd(),
    stderr: stderr.trimEnd(),
    interrupted: stoppedBy !== undefined,
    isImage: false,
    noOutputExpected: false,
  };
}
