import { uuidOf } from "../../../../format/entry-kinds.ts";
import type { Scene } from "../scene.ts";

const ENTRIES = 25;

export const killedWriter: Scene = {
  title: "The writer is killed with kill -9",
  async play({ sessions, session, startWriter, tell, claim, run }) {
    tell(
      "A second process writes to the session and waits for each entry to be on the disk. It is killed while it writes.",
    );
    const writer = startWriter();
    await writer.waitFor(ENTRIES);
    await writer.kill();
    const { entries } = await sessions.readConversation(session);
    const found = new Set(entries.map(uuidOf));
    const missing = writer.acknowledged.filter((uuid) => !found.has(uuid));
    claim(
      `all ${writer.acknowledged.length} entries that it was told are safe are in the conversation`,
      missing.length === 0,
    );

    tell("Another one is killed in the middle of a line, as by a power failure.");
    const unlucky = startWriter();
    await unlucky.waitFor(1);
    const offset = await unlucky.tearLine();
    await unlucky.kill();
    const shown = await run(["show", session.sessionId.slice(0, 8), "--limit", "2"]);
    const { rejections, entries: after } = await sessions.readConversation(session);
    claim(
      "the half line is reported with its place, not skipped silently",
      rejections.length === 1 && rejections[0]?.offset === offset && shown.stderr.includes("torn"),
    );
    const kept = new Set(after.map(uuidOf));
    claim(
      "and nothing before it is lost",
      [...writer.acknowledged, ...unlucky.acknowledged].every((uuid) => kept.has(uuid)),
    );
  },
};
