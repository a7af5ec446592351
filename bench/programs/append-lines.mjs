// What the append programs share: APPEND_PROGRAM SOURCE COUNT OUT_DIR takes the first COUNT lines of SOURCE and
// appends them to a new file in OUT_DIR. The result is the file's digest, so that all sides must write the same.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { report } from "./report.mjs";

// A writer lives as long as its session, so what is measured is its steady state, not its first calls.
const WARM_UP_LINES = 500;
const HEAD_BYTES = 64 * 1024 * 1024;

/** `open` is given a file to append to and returns `append(lines)` and `close()`; it gets lines as it wants them. */
export async function measureAppend(open, { withNewlines }) {
  const [source, count, outDir] = process.argv.slice(2);
  const lines = firstLines(source, { count: Number(count), withNewlines });

  const warmUp = await open(path.join(outDir, "warm-up.jsonl"));
  await warmUp.append(lines.slice(0, WARM_UP_LINES));
  await warmUp.close();

  const file = path.join(outDir, "measured.jsonl");
  const measured = await open(file);
  await report({
    work: () => measured.append(lines),
    resultOf: () => crypto.createHash("sha256").update(fs.readFileSync(file)).digest("hex"),
  });
  await measured.close();
}

function firstLines(source, { count, withNewlines }) {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  const descriptor = fs.openSync(source, "r");
  const held = head.subarray(0, fs.readSync(descriptor, head));
  fs.closeSync(descriptor);
  const lines = [];
  for (let start = 0; lines.length < count;) {
    const end = held.indexOf(10, start);
    if (end === -1) throw new Error(`Cannot take ${count} lines: the head has ${lines.length}`);
    lines.push(held.subarray(start, withNewlines ? end + 1 : end));
    start = end + 1;
  }
  return lines;
}
