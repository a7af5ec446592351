import type { LeftFile, LeftFiles, SessionRef } from "../../../index.ts";
import { parseSize } from "../../../lib/parse-size.ts";
import { formatBytes, formatMoment } from "../../../lib/quantities.ts";
import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
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
    const { sessions } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    const left = await sessions.companions(session);
    if (name === undefined) return list(context, session, left);
    // One that is not there has any kind: the store says so.
    const { kind, path = null } = left.companions.find((each) => each.name === name) ?? { kind: "plan" };
    const { offset = 0, bytes: length = Infinity } = options;
    const pieces = readPieces(context, session, { kind, name, from: offset, length });
    if (!context.isJson) return print(context, pieces);
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    const text = Buffer.concat(all).toString("utf8");
    return context.writeJson({ sessionId: session.sessionId, kind, name, path, offset, text });
  },
});

async function list(
  context: CommandContext,
  { sessionId }: SessionRef,
  { companions, problems }: LeftFiles,
): Promise<void> {
  if (context.isJson) return context.writeJson({ sessionId, companions, problems });
  if (companions.length > 0)
    await context.writeLines(renderTable(companions, columns, context.environment.stdout));
  else context.say(`Session ${terminalLine(sessionId)} left no plan, no environment and no large output.`);
  sayProblems(context, problems);
}

const columns: readonly TableColumn<LeftFile>[] = [
  { title: "KIND", value: ({ kind }) => kind, paint: "cyan" },
  { title: "NAME", value: ({ name }) => terminalLine(name), widthMin: 12 },
  { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true },
  { title: "WRITTEN", value: ({ updatedAt }) => formatMoment(updatedAt), dropOrder: 1 },
];

async function print({ environment, output }: CommandContext, pieces: AsyncIterable<Buffer>): Promise<void> {
  const { isTerminal } = environment.stdout;
  for await (const piece of pieces)
    await output.write(isTerminal ? terminalText(piece.toString("utf8")) : piece);
}

interface Part extends Pick<LeftFile, "kind" | "name"> {
  from: number;
  length: number;
}

async function* readPieces(
  { runtime }: CommandContext,
  session: SessionRef,
  { kind, name, from, length }: Part,
): AsyncGenerator<Buffer> {
  const { sessions } = await runtime();
  let offset: number | undefined = from;
  for (let left = length; offset !== undefined && left > 0;) {
    const piece = await sessions.readCompanion(session, { kind, name, offset, bytesMax: left });
    yield piece.bytes;
    left -= piece.bytes.length;
    offset = piece.nextOffset;
  }
}
