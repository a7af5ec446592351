import { statusInputBytesMax } from "./limits.ts";

/** What is piped in, up to a limit; empty at a terminal. */
export async function readPipedInput(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > statusInputBytesMax) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
