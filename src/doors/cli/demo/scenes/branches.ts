import { uuidOf } from "../../../../format/entry-kinds.ts";
import fs from "node:fs";
import type { Scene } from "../scene.ts";

export const branches: Scene = {
  title: "Trying something else",
  async play({ sessions, session, tell, claim, run }) {
    tell(
      "A fork is a new session that starts with the conversation up to a message. The old one stays unchanged.",
    );
    const { entries } = await sessions.readConversation(session);
    const bytes = fs.readFileSync(session.path);
    const at = uuidOf(entries[3]!) ?? "";
    const forked = await run(["fork", session.sessionId.slice(0, 8), "--at", at, "--title", "Plan B"]);
    const fork = await sessions.find(forked.stdout.trim());
    const copy = await sessions.readConversation(fork);
    claim("the fork has the four entries up to there", copy.entries.length === 4);
    claim("the session it came from has not changed by a byte", fs.readFileSync(session.path).equals(bytes));
    await run(["rename", session.sessionId.slice(0, 8), "Fix the parser"]);
    await run(["tag", session.sessionId.slice(0, 8), "release"]);
    const listed = await run(["sessions"]);
    claim(
      "both are listed by their titles",
      ["Plan B", "Fix the parser"].every((title) => listed.stdout.includes(title)),
    );
  },
};
