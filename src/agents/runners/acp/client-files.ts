import { mkdir, open, writeFile } from "node:fs/promises";
import path from "node:path";
import { RequestError, type ReadTextFileRequest, type WriteTextFileRequest } from "@agentclientprotocol/sdk";
import { agentFileBytesMax } from "./limits.ts";
import { codeOf } from "../../../lib/errors.ts";

/** Reads a file for the agent: the whole, or `limit` lines from `line` (counted from one). */
export async function readTextFile({ path: file, line, limit }: ReadTextFileRequest): Promise<{
  content: string;
}> {
  requireAbsolute(file);
  const text = await answering(file, () => readBounded(file));
  if ((line ?? 1) <= 1 && (limit ?? undefined) === undefined) return { content: text };
  const from = Math.max(0, (line ?? 1) - 1);
  const to = limit === null || limit === undefined ? undefined : from + limit;
  return { content: text.split("\n").slice(from, to).join("\n") };
}

/** Writes a file for the agent, with the folders that lead to it. */
export async function writeTextFile({
  path: file,
  content,
}: WriteTextFileRequest): Promise<Record<string, never>> {
  requireAbsolute(file);
  await answering(file, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  });
  return {};
}

function requireAbsolute(file: string): void {
  if (!path.isAbsolute(file))
    throw RequestError.invalidParams(undefined, `"${file}" is not an absolute path`);
}

// The size of what is opened is checked, not of what had the name before.
async function readBounded(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw RequestError.invalidParams(undefined, `"${file}" is not a file`);
    if (stat.size > agentFileBytesMax) {
      throw RequestError.invalidParams(
        undefined,
        `"${file}" has ${stat.size} bytes, too many to read at once`,
      );
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

// The agent, and through it the model, gets the system's reason.
async function answering<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (codeOf(error) === "ENOENT") throw RequestError.resourceNotFound(file);
    throw RequestError.internalError(undefined, (error as Error).message);
  }
}
