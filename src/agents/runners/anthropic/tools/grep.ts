import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { foundFilesMax, foundLinesMax, readTextLengthMax } from "./limits.ts";
import { findPrograms } from "../../../../lib/find-programs.ts";
import { searchFiles } from "./search-files.ts";
import type { SearchNotes, SearchQuery } from "./search-query.ts";
import { searchWithRipgrep } from "./search-with-ripgrep.ts";
import { defineTool, failure, type Tool, type ToolOutcome } from "./tool.ts";

export const grepTool: Tool = defineTool({
  name: "Grep",
  description: `Searches the contents of files with a regular expression. By default names the files; output_mode "content" shows the lines with their numbers.`,
  schema: z.object({
    pattern: z.string().min(1).describe("A regular expression, without look-around and back-references"),
    path: z.string().optional().describe("The file or folder to search; the working folder unless given"),
    glob: z.string().optional().describe("Which files: *.ts, src/**/*.{js,jsx}"),
    output_mode: z
      .enum(["content", "files_with_matches", "count"])
      .optional()
      .describe("The matching lines, the files (unless given), or how many lines match in each file"),
    "-i": z.boolean().optional().describe("Upper and lower case are the same"),
    "-A": z.int().min(0).max(100).optional().describe("Lines after each match"),
    "-B": z.int().min(0).max(100).optional().describe("Lines before each match"),
    "-C": z.int().min(0).max(100).optional().describe("Lines around each match"),
    head_limit: z.int().positive().optional().describe("At most so many lines or files"),
  }),
  isConcurrent: true,
  title: ({ pattern }) => `Search ${pattern}`,
  file: ({ path: target = "." }) => target,
  async run(input, { cwd, env, signal, mayRead }) {
    const target = path.resolve(cwd, input.path ?? ".");
    const stat = await fs.stat(target).catch(() => undefined);
    if (!stat) return failure(`There is no file or folder "${target}"`);
    const query: SearchQuery = {
      pattern: input.pattern,
      target,
      cwd,
      glob: input.glob,
      mode: input.output_mode ?? "files_with_matches",
      ignoreCase: input["-i"] ?? false,
      linesBefore: input["-B"] ?? input["-C"] ?? 0,
      linesAfter: input["-A"] ?? input["-C"] ?? 0,
      signal,
      mayRead,
    };
    const notes: SearchNotes = [];
    // Ripgrep cannot ask about each file that it opens.
    const [ripgrep] = mayRead ? [] : findPrograms("rg", env["PATH"]);
    const search = ripgrep === undefined ? searchFiles(query, notes) : searchWithRipgrep(ripgrep, query);
    const limit = input.head_limit ?? (query.mode === "content" ? foundLinesMax : foundFilesMax);
    const { lines, isCut } = await take(search, limit);
    return outcomeOf(query.mode, {
      lines,
      notes: [...notes, ...(isCut ? [`(the first ${lines.length})`] : [])],
    });
  },
});

async function take(
  search: AsyncGenerator<string>,
  limit: number,
): Promise<{ lines: string[]; isCut: boolean }> {
  const lines: string[] = [];
  let length = 0;
  for await (const line of search) {
    length += line.length + 1;
    // One more than wanted tells that there is more; leaving the loop ends the search.
    if (lines.length === limit || length > readTextLengthMax) return { lines, isCut: true };
    lines.push(line);
  }
  return { lines, isCut: false };
}

function outcomeOf(
  mode: SearchQuery["mode"],
  { lines, notes }: { lines: string[]; notes: string[] },
): ToolOutcome {
  const content = [...(lines.length > 0 ? lines : ["No matches found"]), ...notes].join("\n");
  if (mode === "files_with_matches")
    return { content, toolUseResult: { mode, filenames: lines, numFiles: lines.length } };
  const text = lines.join("\n");
  if (mode === "content") {
    const result = { mode, numFiles: 0, filenames: [], content: text, numLines: lines.length };
    return { content, toolUseResult: result };
  }
  const counts = lines.map((line) => Number(line.slice(line.lastIndexOf(":") + 1)));
  const numMatches = counts.reduce((sum, count) => sum + count, 0);
  return {
    content,
    toolUseResult: { mode, numFiles: lines.length, filenames: [], content: text, numMatches },
  };
}
