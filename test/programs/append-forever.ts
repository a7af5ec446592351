// Appends entries to a transcript until it is killed, and prints the uuid of each one that was acknowledged.
//   append-forever.ts FILE LEASE_DIR SESSION_ID SEED
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { openTranscriptWriter } from "../../src/store/write/transcript-writer.ts";
import { seededRandom } from "../support/seeded-random.ts";

const [file, leaseDir, sessionId, seed] = process.argv.slice(2) as [string, string, string, string];
const random = seededRandom(Number(seed));
const writer = openTranscriptWriter({ file, leaseDir, sessionId, durability: "sync" });
fs.writeSync(1, "open\n");

let parentUuid: string | null = null;

async function appendOne(): Promise<void> {
  const uuid = randomUUID();
  // Mostly as short as real lines, now and then long enough that a kill can hit the middle of the write.
  const content = "x".repeat(random.next() < 0.2 ? random.between(1, 4) << 20 : random.between(0, 4000));
  const entry = {
    type: "user",
    uuid,
    parentUuid,
    sessionId,
    timestamp: new Date().toISOString(),
    message: { role: "user", content },
  };
  parentUuid = uuid;
  await writer.append(entry);
  fs.writeSync(1, `${uuid}\n`);
}

for (;;) await Promise.all(Array.from({ length: random.between(1, 4) }, appendOne));
