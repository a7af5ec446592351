import { terminalText } from "../../../lib/terminal-text.ts";
import { textsIn } from "../../../format/entry-kinds.ts";
import type { AgentOutput, TaskOutput } from "../../../index.ts";
import { tellQuestions } from "../agents/tell-questions.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { parseMilliseconds } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { taskLabel } from "../tasks/status-text.ts";
import { readableArgument } from "../tasks/task-argument.ts";
import { findTaskOrAgent } from "../tasks/task-or-agent.ts";
import { readerOf } from "../tasks/tell-endings.ts";

export const command: Command = defineCommand({
  arguments: [readableArgument],
  examples: [
    {
      line: "holdfast output @last",
      text: "wait for the end (30 s at most), then the output, head and tail",
    },
    { line: "holdfast output b3kd --no-block --json", text: "what is there now, for programs" },
    { line: "holdfast output build --filter 'error|warning'", text: "only lines that match" },
  ],
  options: [
    { flags: "--no-block", text: "do not wait for the end" },
    {
      flags: "--timeout <ms>",
      text: "how long to wait, in milliseconds (30000; at most 600000)",
      parse: parseMilliseconds,
    },
    { flags: "--filter <regex>", text: "only lines that match" },
    { flags: "--collapse", text: "show only the last state of progress lines" },
    { flags: "--new <reader>", text: "only what is new since this reader last asked" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const runtime = await context.runtime();
    const { tasks } = runtime;
    const found = await findTaskOrAgent(runtime, id);
    if (found.kind === "agent") return writeRead(context, id, found.agent.output);
    const { task } = found;
    const { filter, collapse, timeout: timeoutMs } = options;
    const { whenDelivered } = context;
    const reader = { ...readerOf(context), whenDelivered };
    if (options.new !== undefined) {
      const read = await tasks.newOutput(task, { ...reader, reader: options.new, filter });
      return writeRead(context, task.record.id, read);
    }
    const { block } = options;
    const telling = tellQuestions(context, runtime, block ? [task] : []);
    const read = await withProgress(
      context,
      `Waiting for ${taskLabel(task.record)}`,
      tasks.output(task, { block, timeoutMs, filter, collapse, ...reader }).finally(() => telling.abort()),
    );
    return writeRead(context, task.record.id, read);
  },
});

async function writeRead(context: CommandContext, id: string, read: TaskOutput): Promise<ExitCode> {
  const code = read.retrieval_status === "timeout" ? exitCodes.timeout : exitCodes.ok;
  if (context.isJson) {
    await context.writeJson(read);
    return code;
  }
  const { stdout, stderr } = context.environment;
  const said = "content" in read ? agentText(read) : read;
  await context.output.write(stdout.isTerminal ? terminalText(said.stdout) : said.stdout);
  await context.output.flush();
  process.stderr.write(stderr.isTerminal ? terminalText(said.stderr) : said.stderr);
  if (read.retrieval_status !== "success")
    context.say(`Task ${id} is ${read.status}; this is its output so far.`);
  return code;
}

// Of an agent the answer, and why there is none.
function agentText({ content, error }: AgentOutput): { stdout: string; stderr: string } {
  const answer = textsIn(content).join("\n");
  return {
    stdout: answer === "" ? "" : `${answer}\n`,
    stderr: error === undefined ? "" : `holdfast: The agent failed: ${error}\n`,
  };
}
