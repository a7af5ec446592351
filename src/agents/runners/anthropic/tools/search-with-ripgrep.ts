import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { HeadTailBuffer } from "../../../../lib/head-tail-buffer.ts";
import { matchLengthMax, type SearchQuery } from "./search-query.ts";

const ERROR_BYTES_MAX = 2000;

/**
 * The lines that ripgrep prints. Ends it when the reader has enough, or at the signal. Throws in ripgrep's own words when
 * it does not understand the pattern.
 */
export async function* searchWithRipgrep(program: string, query: SearchQuery): AsyncGenerator<string> {
  const { cwd, signal } = query;
  const child = spawn(program, argumentsFor(query), { cwd, signal, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close") as Promise<[number | null]>;
  // Its failure is looked at when its lines have been read; until then it must not be unhandled.
  closed.catch(() => {});
  const errors = new HeadTailBuffer({ bytesMax: ERROR_BYTES_MAX });
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity }))
      yield line.replace(/^\.\//, "");
    const [code] = await closed;
    // 1 means that nothing was found. Files that cannot be read make it 2, without a word.
    if (code !== 0 && code !== 1 && errors.totalBytes > 0) throw new Error(errors.toString().trim());
  } finally {
    child.kill("SIGKILL");
    await closed.catch(() => {});
  }
}

function argumentsFor({ pattern, target, cwd, glob, mode, ...query }: SearchQuery): string[] {
  const shape = {
    content: ["--line-number", "--with-filename", "--no-heading", `--max-columns=${matchLengthMax}`],
    files_with_matches: ["--files-with-matches"],
    count: ["--count", "--with-filename"],
  }[mode];
  return [
    "--no-config",
    "--color=never",
    "--hidden",
    "--glob=!.git",
    "--max-columns-preview",
    "--no-messages",
    ...shape,
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    ...(query.linesBefore > 0 ? [`--before-context=${query.linesBefore}`] : []),
    ...(query.linesAfter > 0 ? [`--after-context=${query.linesAfter}`] : []),
    `--regexp=${pattern}`,
    "--",
    path.relative(cwd, target) || ".",
  ];
}
