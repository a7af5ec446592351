import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { foundFilesMax } from "./limits.ts";
import { parseGlob } from "./glob-pattern.ts";
import { defineTool, failure, type Tool } from "./tool.ts";
import { describeGaps, walkFiles } from "./walk-files.ts";

export const globTool: Tool = defineTool({
  name: "Glob",
  description: `Finds files by name: *, **, ?, [a-z] and {a,b} work. Newest first, at most ${foundFilesMax}. Passes over .git, and over node_modules unless the pattern names it.`,
  schema: z.object({
    pattern: z.string().min(1).describe("Such as **/*.ts or src/{a,b}/*.md"),
    path: z.string().optional().describe("The folder to look in; the working folder unless given"),
  }),
  isConcurrent: true,
  title: ({ pattern }) => `Find ${pattern}`,
  file: ({ path: folder = "." }) => folder,
  async run({ pattern, path: folder = "." }, { cwd, signal, mayRead = () => Promise.resolve(true) }) {
    const startedAt = performance.now();
    const glob = parseGlob(pattern, { cwd: path.resolve(cwd, folder) });
    const stat = await fs.stat(glob.root).catch(() => undefined);
    if (!stat?.isDirectory()) return failure(`There is no folder "${glob.root}"`);
    const gaps = { isCut: false, unreadableFolders: 0 };
    const found: { file: string; mtimeMs: number }[] = [];
    const withPackages = /node_modules/.test(pattern) || /node_modules/.test(folder);
    for await (const { relativePath, file } of walkFiles(glob.root, { withPackages, signal, gaps })) {
      if (glob.matches(relativePath) && (await mayRead(file)))
        found.push({ file, mtimeMs: await changedAt(file) });
    }
    found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.file < b.file ? -1 : 1));
    const filenames = found.slice(0, foundFilesMax).map(({ file }) => file);
    const isTruncated = gaps.isCut || found.length > filenames.length;
    const lines = [
      ...(filenames.length > 0 ? filenames : ["No files found"]),
      ...(found.length > filenames.length ? [`(the newest ${filenames.length} of ${found.length})`] : []),
      ...describeGaps(gaps),
    ];
    return {
      content: lines.join("\n"),
      toolUseResult: {
        filenames,
        durationMs: Math.round(performance.now() - startedAt),
        numFiles: filenames.length,
        truncated: isTruncated,
      },
    };
  },
});

// A link that leads nowhere is the oldest of all.
async function changedAt(file: string): Promise<number> {
  return (await fs.stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}
