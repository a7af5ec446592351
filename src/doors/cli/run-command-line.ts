import { codeOf } from "../../lib/errors.ts";
import { once } from "../../lib/once.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import type { IndexTrouble } from "../../store/index/derived-index.ts";
import type { CommandContext } from "./command.ts";
import { readEnvironment, type Environment } from "./environment.ts";
import { exitCodes } from "./exit-codes.ts";
import { writeJsonObject } from "./json-output.ts";
import { openOutput, writeLines } from "./output.ts";
import { parseCommandLine, type ParsedCommandLine } from "./parse-command-line.ts";
import { asciiMarks } from "./render/ascii-marks.ts";
import { standardStream } from "./standard-streams.ts";
import { clearTransientLine } from "./transient-line.ts";

/** Parses, runs and reports: every ending of a command passes here, and becomes its exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const environment = readEnvironment();
  const afterwards: (() => void | Promise<void>)[] = [];
  const context = contextOf(environment, (act) => void afterwards.push(act), await saidOn(environment));
  const { output } = context;
  try {
    const parsed = await parseCommandLine(argv, environment.stdout);
    if (parsed.kind === "help")
      await output.write(environment.isAsciiOnly ? asciiMarks(parsed.text) : parsed.text);
    const code = parsed.kind === "call" ? await runCall(context, parsed) : exitCodes.ok;
    await output.flush();
    for (const act of afterwards) await act();
    return code ?? exitCodes.ok;
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    const isJson = wantsJson(argv);
    return reportError(error, { context: isJson ? context : withMarks(context), isJson });
  }
}

async function runCall(
  context: CommandContext,
  { command, call, isJson, missing }: Extract<ParsedCommandLine, { kind: "call" }>,
): Promise<number | void> {
  const own = { ...(isJson ? context : withMarks(context)), isJson };
  if (!missing) return command.run(own, call);
  const { isAnswering, variables } = context.environment;
  if (isJson || !isAnswering || variables["TERM"] === "dumb") throw missing.error;
  const { fillMissing } = await import("./pick/fill-missing.ts");
  const filled = await fillMissing(own, call, missing);
  return filled ? command.run(own, filled) : exitCodes.interrupted;
}

// A pipe gets what was written by others as it is: what we draw ourselves goes through writeLines.
function withMarks(context: CommandContext): CommandContext {
  const { output, environment } = context;
  if (!environment.isAsciiOnly) return context;
  return {
    ...context,
    output: {
      write: (text) =>
        output.write(typeof text === "string" && environment.stdout.isTerminal ? asciiMarks(text) : text),
      flush: () => output.flush(),
      get isUsed() {
        return output.isUsed;
      },
    },
    writeLines: (lines) => context.writeLines(Array.from(lines, asciiMarks)),
    say: (line) => context.say(asciiMarks(line)),
  };
}

// Asked of the raw arguments, because a usage error must answer in JSON too.
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

const indexTroubles: Record<IndexTrouble, string> = {
  damaged: "The index was damaged. It is rebuilt; this answer comes from the files.",
  wrong:
    "The index does not match the files. This answer comes from the files; rebuild it: holdfast index --rebuild",
  newer: "The index was made by a newer Holdfast and is left alone; this answer comes from the files.",
  unreadable: "The index cannot be read. This answer comes from the files.",
  unwritable:
    "The index cannot be written (disk full or read-only?), so the next answer takes as long as this one.",
  busy: "Another process is writing the index, so the next answer takes as long as this one.",
};

// A window breaks lines wherever it ends. Who writes to a file pays for none of this.
async function saidOn({ stderr }: Environment): Promise<(text: string) => string> {
  if (!stderr.isTerminal) return (text) => text;
  const { wrapSaid } = await import("./render/wrap-said.ts");
  return (text) => wrapSaid(text, stderr.columns);
}

function contextOf(
  environment: Environment,
  whenDelivered: CommandContext["whenDelivered"],
  said: (text: string) => string,
): CommandContext {
  const { configDir, home, settingsFile } = environment;
  const errors = standardStream("stderr");
  const say = (line: string): void => {
    clearTransientLine();
    errors.write(Buffer.from(`${said(line)}\n`), () => {});
  };
  const onUnreadable = (dir: string, error: Error): void => {
    const isArchive = codeOf(error) === "archive_damaged";
    const what = isArchive ? error.message : `Cannot read folder "${dir}": no permission`;
    say(`holdfast: ${terminalLine(what)}; its sessions are left out`);
  };
  const onOpenHome = (): void =>
    say(
      `holdfast: everybody may write to "${terminalLine(home)}", so nothing is started in it, and its contents may be forged; make it private: holdfast doctor --repair`,
    );
  // Once, though several parts of a command may ask the index.
  const told = new Set<IndexTrouble>();
  const onIndexTrouble = (trouble: IndexTrouble): void => {
    if (!told.has(trouble)) say(`holdfast: ${indexTroubles[trouble]}`);
    told.add(trouble);
  };
  const output = openOutput(standardStream("stdout"));
  return {
    environment,
    output,
    isJson: false,
    writeJson: (fields) => writeJsonObject(output, { ...fields }),
    writeLines: (lines) => writeLines(output, lines),
    say,
    whenDelivered,
    runtime: once(async () => {
      const { openRuntime } = await import("../../runtime/open-runtime.ts");
      return openRuntime({
        configDir,
        home,
        settingsFile,
        env: environment.variables,
        onUnreadable,
        onIndexTrouble,
        onOpenHome,
      });
    }),
  };
}
