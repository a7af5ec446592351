import path from "node:path";
import { z } from "zod";
import { realPath } from "../../../../lib/real-path.ts";
import { filePatch } from "./file-patch.ts";
import { readFileState, type KnownFiles } from "./known-files.ts";
import { isBinary, loadFile, type LoadedFile } from "./load-file.ts";
import { replaceFile } from "./replace-file.ts";
import { defineTool, failure, type Tool } from "./tool.ts";

export const writeTool: Tool = defineTool({
  name: "Write",
  description: `Writes a whole file, with the folders above it. A file that is there already must have been read before, and is replaced; to change a part of one, use Edit.`,
  schema: z.object({
    file_path: z.string().min(1).describe("Absolute, or relative to the working folder"),
    content: z.string().describe("The whole new text of the file"),
  }),
  needsPermission: true,
  title: ({ file_path: file, content }) => `Write ${file} (${content.length} characters)`,
  file: ({ file_path: file }) => file,
  async run({ file_path: given, content }, { cwd, knownFiles, ...context }) {
    const file = path.resolve(cwd, given);
    const permitted = context.realPath ?? realPath(file);
    const loaded = await loadFile(file, permitted);
    const isNew = "refusal" in loaded;
    const refusal = whyNot(file, loaded, knownFiles);
    if (refusal !== undefined) return failure(refusal);
    await replaceFile(permitted, content);
    knownFiles.remember(file, await readFileState(file));
    const patch =
      isNew || isBinary(loaded.bytes)
        ? { originalFile: null, structuredPatch: [] }
        : filePatch(loaded.bytes.toString("utf8"), content);
    return {
      content: `${isNew ? "Created" : "Replaced"} "${file}"`,
      toolUseResult: { type: isNew ? "create" : "update", filePath: file, content, ...patch },
    };
  },
});

function whyNot(file: string, loaded: LoadedFile, knownFiles: KnownFiles): string | undefined {
  if (!("refusal" in loaded)) return knownFiles.whyUnknown(file, loaded.state);
  return loaded.isMissing ? undefined : loaded.refusal;
}
