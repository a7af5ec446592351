import { formatBytes, formatMoment } from "../../../lib/quantities.ts";
import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import type { LargeOutput, SessionRef } from "../../../index.ts";
import { storeError } from "../../../store/errors.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { parseSize } from "../../../lib/parse-size.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { sayProblems } from "../say-problems.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [
    { ...sessionArgument, pick: "session" },
    { name: "name", text: "print this one", kind: "text", isOptional: true },
  ],
  examples: [
    {
      line: "holdfast companions @last",
      text: "its plans, what hooks left for its shells, its large outputs",
    },
    { line: "holdfast companions 1b3e quiet-blue-river.md", text: "print one of them" },
    {
      line: "holdfast companions 1b3e mcp-output-Bash-2026-11-20T09-30-00-000Z.txt --offset 50000 --bytes 4000",
      text: "a part of a large output",
    },
  ],
  options: [
    allOption,
    { flags: "--offset <bytes>", text: "begin at this byte", parse: parseSize },
    { flags: "--bytes <count>", text: "print at most so many bytes", parse: parseSize },
  ],
  async run(context, { arguments: [id = "", name], options }) {
    const session = await findNamedSession(context, id, options);
    const { companions, problems } = await listCompanions(context, session);
    if (name === undefined) return list(context, session, { companions, problems });
    const found = companions.find((each) => each.name === name);
    if (!found)
      throw storeError(
        "companion_not_found",
        `Cannot read "${name}": session ${session.sessionId} left none of this name`,
      );
    const { offset = 0, bytes = Infinity } = options;
    return print(context, session, { companion: found, from: offset, length: bytes });
  },
});

interface Companion {
  kind: "plan" | "environment" | LargeOutput["kind"];
  name: string;
  path: string;
  bytes: number;
  updatedAt: string;
  /** Of what is small: all of it. */
  text?: string;
}

type Listed = { companions: Companion[]; problems: Parameters<typeof sayProblems>[1] };

async function listCompanions({ runtime }: CommandContext, session: SessionRef): Promise<Listed> {
  const { sessions } = await runtime();
  const plans = await sessions.plans(session);
  const environment = await sessions.environment(session);
  const large = await sessions.largeOutputs(session);
  return {
    companions: [
      ...plans.plans.map(({ slug, ...plan }) => small("plan", { name: `${slug}.md`, ...plan })),
      ...environment.files.map((file) => small("environment", file)),
      ...large.outputs.map(({ writtenAt: updatedAt, ...output }) => ({ ...output, updatedAt })),
    ],
    problems: [...plans.problems, ...environment.problems, ...large.problems],
  };
}

function small(
  kind: Companion["kind"],
  file: { name: string; path: string; text: string; updatedAt: string },
): Companion {
  return { kind, ...file, bytes: Buffer.byteLength(file.text) };
}

async function list(
  context: CommandContext,
  { sessionId }: SessionRef,
  { companions, problems }: Listed,
): Promise<void> {
  if (context.isJson) {
    const shown = companions.map(({ kind, name, path, bytes, updatedAt }) => ({
      kind,
      name,
      path,
      bytes,
      updatedAt,
    }));
    return context.writeJson({ sessionId, companions: shown, problems });
  }
  if (companions.length > 0)
    await context.writeLines(renderTable(companions, columns, context.environment.stdout));
  else context.say(`Session ${terminalLine(sessionId)} left no plan, no environment and no large output.`);
  sayProblems(context, problems);
}

const columns: readonly TableColumn<Companion>[] = [
  { title: "KIND", value: ({ kind }) => kind, paint: "cyan" },
  { title: "NAME", value: ({ name }) => terminalLine(name), widthMin: 12 },
  { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true },
  { title: "WRITTEN", value: ({ updatedAt }) => formatMoment(updatedAt), dropOrder: 1 },
];

interface Part {
  companion: Companion;
  from: number;
  length: number;
}

async function print(
  context: CommandContext,
  session: SessionRef,
  { companion, from, length }: Part,
): Promise<void> {
  const { kind, name, path, bytes: total } = companion;
  const pieces = readPieces(context, session, { companion, from, length });
  if (!context.isJson) {
    const { isTerminal } = context.environment.stdout;
    for await (const piece of pieces)
      await context.output.write(isTerminal ? terminalText(piece.toString("utf8")) : piece);
    return;
  }
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  const text = Buffer.concat(all).toString("utf8");
  await context.writeJson({
    sessionId: session.sessionId,
    kind,
    name,
    path,
    bytes: total,
    offset: from,
    text,
  });
}

async function* readPieces(
  { runtime }: CommandContext,
  session: SessionRef,
  { companion: { kind, name, text }, from, length }: Part,
): AsyncGenerator<Buffer> {
  if (kind === "plan" || kind === "environment") {
    yield Buffer.from(text ?? "").subarray(from, from + length);
    return;
  }
  const { sessions } = await runtime();
  let offset: number | undefined = from;
  for (let left = length; offset !== undefined && left > 0;) {
    const piece = await sessions.readLargeOutput(session, { kind, name, offset, bytesMax: left });
    yield piece.bytes;
    left -= piece.bytes.length;
    offset = piece.nextOffset;
  }
}
