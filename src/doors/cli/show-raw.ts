import { refuseNonTranscript } from "../../conversation/refuse-non-transcript.ts";
import { withoutMark } from "../../format/line-entry.ts";
import { RawJson } from "../../lib/json-pieces.ts";
import { terminalJson } from "../../lib/terminal-text.ts";
import type { EntryFilter } from "../../store/read/entry-filter.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { SessionStore } from "../../store/session-store.ts";
import type { CommandContext } from "./command.ts";
import { lastOf } from "./last-of.ts";
import { sayFindings } from "./say-findings.ts";

export interface ShowRawOptions {
  store: SessionStore;
  session: SessionRef;
  filter: EntryFilter;
  limit: number | undefined;
  isFiltered: boolean;
}

/** Prints the file byte for byte; of a part of it, or on a terminal, the lines that are entries. */
export async function showRaw(context: CommandContext, options: ShowRawOptions): Promise<void> {
  const { output, environment } = context;
  const { store, session, limit, isFiltered } = options;
  if (!context.isJson && !isFiltered && limit === undefined && !environment.stdout.isTerminal) {
    if (!(await hasEntry(options)))
      await refuseNonTranscript({ ...options, rejections: await rejectionsIn(options) });
    for await (const bytes of store.bytes(session)) await output.write(bytes);
    return output.flush();
  }
  const rejections: Rejection[] = [];
  let count = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const line of lastOf(entryLines(options, rejections), options.limit)) {
      count += 1;
      yield line;
    }
  }
  if (context.isJson) {
    const { sessionId } = options.session;
    await context.writeJson({ sessionId, entries: rawJson(lines()), rejections: () => rejections });
  } else {
    for await (const bytes of lines()) {
      // Into a pipe the bytes go as they are; a terminal would obey some of them.
      await output.write(environment.stdout.isTerminal ? terminalJson(bytes.toString()) : bytes);
      await output.write("\n");
    }
    await output.flush();
  }
  if (count === 0) await refuseNonTranscript({ ...options, rejections });
  if (!context.isJson) sayFindings(context, { rejections });
}

async function hasEntry({ store, session }: ShowRawOptions): Promise<boolean> {
  for await (const line of store.stream(session)) if (line.kind === "entry") return true;
  return false;
}

async function rejectionsIn(options: ShowRawOptions): Promise<Rejection[]> {
  const rejections: Rejection[] = [];
  for await (const _ of entryLines(options, rejections));
  return rejections;
}

async function* entryLines(
  { store, session, filter }: ShowRawOptions,
  rejections: Rejection[],
): AsyncGenerator<Buffer> {
  for await (const line of store.stream(session, filter)) {
    if (line.kind === "rejection") rejections.push(line.rejection);
    else yield line.bytes;
  }
}

async function* rawJson(lines: AsyncIterable<Buffer>): AsyncGenerator<RawJson> {
  // A byte order mark may stand before a line; inside an object it is an error.
  for await (const bytes of lines) yield new RawJson(withoutMark(bytes.toString()));
}
