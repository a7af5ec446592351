import path from "node:path";
import { z } from "zod";
import { imageBytesMax, readLineLengthMax, readLinesMax, readTextLengthMax } from "./limits.ts";
import { cutText } from "../../../../format/short-text.ts";
import { isBinary, loadFile } from "./load-file.ts";
import { defineTool, failure, type Tool, type ToolOutcome } from "./tool.ts";

const schema = z.object({
  file_path: z.string().min(1).describe("Absolute, or relative to the working folder"),
  offset: z.int().positive().optional().describe("Number of the first line wanted, counted from 1"),
  limit: z.int().positive().optional().describe("How many lines"),
});

type ReadInput = z.infer<typeof schema>;

export const readTool: Tool = defineTool({
  name: "Read",
  description: `Reads a text file with line numbers, or shows an image (PNG, JPEG, GIF, WebP).

- Gives up to ${readLinesMax} lines; for more of a long file pass offset and limit. Lines over ${readLineLengthMax} characters are cut.
- The number and the tab in front of each line are not part of the file.`,
  schema,
  isConcurrent: true,
  title: ({ file_path: file }) => `Read ${file}`,
  file: ({ file_path: file }) => file,
  async run(input, { cwd, knownFiles, realPath }) {
    const file = path.resolve(cwd, input.file_path);
    const loaded = await loadFile(file, realPath);
    if ("refusal" in loaded) return failure(loaded.refusal);
    const mediaType = mediaTypeOf(loaded.bytes);
    if (mediaType !== undefined) return showImage(file, loaded.bytes, mediaType);
    if (isBinary(loaded.bytes)) return failure(`"${file}" is not text; look into it with Bash`);
    const outcome = showText(file, loaded.bytes, input);
    if (!outcome.isError) knownFiles.remember(file, loaded.state);
    return outcome;
  },
});

// The type of an image that the API takes, by its first bytes; a name can be wrong.
function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "image/webp";
  return undefined;
}

function showImage(file: string, bytes: Buffer, mediaType: string): ToolOutcome {
  if (bytes.length > imageBytesMax)
    return failure(`"${file}" has ${bytes.length} bytes; images may have ${imageBytesMax}, make it smaller`);
  const base64 = bytes.toString("base64");
  return {
    content: [{ type: "image", source: { type: "base64", media_type: mediaType, data: base64 } }],
    toolUseResult: { type: "image", file: { base64, type: mediaType, originalSize: bytes.length } },
  };
}

function showText(file: string, bytes: Buffer, { offset = 1, limit = readLinesMax }: ReadInput): ToolOutcome {
  const lines = linesOf(bytes);
  if (offset > Math.max(1, lines.length))
    return failure(`"${file}" has ${lines.length} lines; line ${offset} is beyond its end`);
  const wanted = lines.slice(offset - 1, offset - 1 + Math.min(limit, readLinesMax));
  const shown = whatFits(wanted.map((line) => cutText(line, readLineLengthMax)));
  const numbered = shown.map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
  const next = offset + shown.length;
  if (shown.length === 0) numbered.push("(the file is empty)");
  else if (next <= lines.length) numbered.push(`(${lines.length} lines in all; go on with offset ${next})`);
  return {
    content: numbered.join("\n"),
    toolUseResult: {
      type: "text",
      file: {
        filePath: file,
        content: shown.join("\n"),
        numLines: shown.length,
        startLine: offset,
        totalLines: lines.length,
      },
    },
  };
}

function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function whatFits(lines: readonly string[]): string[] {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > readTextLengthMax);
  return end < 0 ? [...lines] : lines.slice(0, end);
}
