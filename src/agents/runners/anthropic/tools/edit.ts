import { isUtf8 } from "node:buffer";
import path from "node:path";
import { z } from "zod";
import { realPath } from "../../../../lib/real-path.ts";
import { filePatch } from "./file-patch.ts";
import { readFileState } from "./known-files.ts";
import { loadFile } from "./load-file.ts";
import { replaceFile } from "./replace-file.ts";
import { replaceText, type ReplacedText } from "./replace-text.ts";
import { defineTool, failure, type Tool } from "./tool.ts";

export const editTool: Tool = defineTool({
  name: "Edit",
  description: `Replaces a text in a file that you have read. old_string must stand there exactly once: add lines around it until it does, or set replace_all.`,
  schema: z.object({
    file_path: z.string().min(1).describe("Absolute, or relative to the working folder"),
    old_string: z.string().min(1).describe("What stands there now, exactly, with its indentation"),
    new_string: z.string().describe("What is to stand there"),
    replace_all: z.boolean().optional().describe("Replace it wherever it stands"),
  }),
  needsPermission: true,
  title: ({ file_path: file }) => `Edit ${file}`,
  file: ({ file_path: file }) => file,
  async run(
    { file_path: given, old_string: oldText, new_string: newText, replace_all: all = false },
    context,
  ) {
    const file = path.resolve(context.cwd, given);
    if (oldText === newText) return failure("old_string and new_string are the same; there is nothing to do");
    const permitted = context.realPath ?? realPath(file);
    const loaded = await loadFile(file, permitted);
    if ("refusal" in loaded) return failure(loaded.refusal);
    const unknown = context.knownFiles.whyUnknown(file, loaded.state);
    if (unknown !== undefined) return failure(unknown);
    // Decoded and written back, bytes that are no characters would be lost.
    if (!isUtf8(loaded.bytes)) return failure(`"${file}" is not UTF-8 text; change it with Bash`);
    const before = loaded.bytes.toString("utf8");
    const replaced = replaceText(before, { oldText, newText, all });
    if (replaced.kind !== "replaced") return failure(whyNot(file, replaced));
    await replaceFile(permitted, replaced.text);
    context.knownFiles.remember(file, await readFileState(file));
    return {
      content: `Edited "${file}": ${replaced.count === 1 ? "one place" : `${replaced.count} places`}`,
      toolUseResult: {
        filePath: file,
        oldString: oldText,
        newString: newText,
        ...filePatch(before, replaced.text),
        userModified: false,
        replaceAll: all,
      },
    };
  },
});

function whyNot(file: string, result: Exclude<ReplacedText, { kind: "replaced" }>): string {
  if (result.kind === "missing")
    return `old_string is not in "${file}"; it must match character by character, without line numbers`;
  return `old_string stands in ${result.count} places of "${file}"; add lines around the one you mean, or set replace_all`;
}
