// Reads a transcript in one way and says how many lines it got and how much memory that took at most.
// Usage: read-transcript.ts last <n> <file> | context <file> | full <file> | stream <file>
import fs from "node:fs";
import { openConversation } from "../../src/store/read/conversation.ts";
import { streamEntries } from "../../src/store/read/stream-entries.ts";

const [how = "", ...rest] = process.argv.slice(2);
const file = rest.at(-1) ?? "";
let lines = 0;
if (how === "stream") for await (const line of streamEntries(file)) lines += line.kind === "entry" ? 1 : 0;
else {
  const mode = how === "context" ? "context" : "full";
  const conversation = await openConversation(file, {
    mode,
    last: how === "last" ? Number(rest[0]) : undefined,
  });
  for (const _ of conversation.entries()) lines++;
  conversation.close();
}
const [, peakKb = NaN] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync("/proc/self/status", "utf8")) ?? [];
process.stdout.write(`${JSON.stringify({ lines, peakBytes: Number(peakKb) * 1024 })}\n`);
