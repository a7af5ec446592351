// Waits at a barrier, tries to open a session's writer, says how it went, holds it until told to let go.
// Reads one JSON object a line: {file, leaseDir, sessionId, barrier}, then, if it won, the word "release".
import fs from "node:fs";
import { createInterface } from "node:readline";
import { codeOf, type HoldfastError } from "../../src/lib/errors.ts";
import { openTranscriptWriter, type TranscriptWriter } from "../../src/store/write/transcript-writer.ts";

interface Race {
  file: string;
  leaseDir: string;
  sessionId: string;
  barrier: string;
}

const say = (value: unknown): void => void fs.writeSync(1, `${JSON.stringify(value)}\n`);
const pause = new Int32Array(new SharedArrayBuffer(4));
let held: TranscriptWriter | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "release") {
    await held?.close();
    held = undefined;
    say("released");
  } else {
    await race(JSON.parse(line) as Race);
  }
}

async function race({ barrier, ...writer }: Race): Promise<void> {
  say("armed");
  while (!fs.existsSync(barrier)) Atomics.wait(pause, 0, 0, 0.05);
  try {
    held = openTranscriptWriter({ ...writer, durability: "sync" });
    await held.append({ type: "user", pid: process.pid });
    say({ won: process.pid });
  } catch (error) {
    const { message, fields } = error as HoldfastError;
    say({
      lost: process.pid,
      code: codeOf(error),
      message,
      pid: fields?.["pid"],
      sessionId: fields?.["subject"],
    });
  }
}
