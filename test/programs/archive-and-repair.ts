// archive-and-repair.ts HOME CONFIG_DIR: packs every session, puts it back, mends the damaged ones and damages them
// again, until it is killed. Says a line whenever one of these is done.
import fs from "node:fs";
import path from "node:path";
import { openBackup } from "../../src/health/repair/open-backup.ts";
import { repairTranscript } from "../../src/health/repair/repair-transcript.ts";
import { writeFileAtomic } from "../../src/lib/atomic-write.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openSessionStore } from "../../src/store/open-session-store.ts";

const [home, configDir] = process.argv.slice(2) as [string, string];
const store = openSessionStore({ home, configDir });
// Another one in each process, because most are killed in their first round.
let round = process.pid;

for (;;) {
  const archive = await store.openArchive();
  const live = (await store.list({ counts: false })).filter(({ archived }) => archived === undefined);
  const refs = live.map(({ sessionId, project: projectKey, path: file }) => ({
    sessionId,
    projectKey,
    path: file,
  }));
  // Sometimes one by one, sometimes several in a pack; copies first, which the packs then replace.
  const size = 1 + (++round % 4);
  for (let from = 0; from < refs.length; from += size) {
    const some = refs.slice(from, from + size);
    if (round % 3 === 0) await archive.add(some, { keepsOriginals: true });
    for (const _ of (await archive.add(some)).archived) process.stdout.write("archived\n");
  }
  for (const { sessionId } of await store.listArchive()) {
    archive.restore(sessionId);
    process.stdout.write("restored\n");
  }
  archive.close();
  const backup = openBackup({ home, clock: systemClock });
  for (const { sessionId, path: file } of await store.list({ counts: false })) {
    const before = fs.readFileSync(file);
    const { mended } = await repairTranscript({ home, configDir }, { sessionId, path: file }, backup);
    process.stdout.write("repaired\n");
    if (mended.length > 0) writeFileAtomic(file, before);
  }
  fs.rmSync(path.join(home, "repairs"), { recursive: true, force: true });
}
