import { isNode, uuidOf } from "../../../../format/entry-kinds.ts";
import { codeOf } from "../../../../lib/errors.ts";
import type { Scene } from "../scene.ts";

export const resume: Scene = {
  title: "The conversation continues",
  async play({ sessions, session, cwd, tell, claim }) {
    tell("The dead writer still held the session's lease. The lease of a dead process blocks nobody.");
    const before = await sessions.readConversation(session);
    const last = uuidOf(before.entries.at(-1)!);
    const writer = await sessions.openWriter({ cwd, sessionId: session.sessionId });
    try {
      claim("a new writer takes over at the last entry that was saved", writer.leaf === last);
      const second = await sessions.openWriter({ cwd, sessionId: session.sessionId }).then(
        () => undefined,
        (error: unknown) => codeOf(error),
      );
      claim("a second one at the same time is refused with `conflict`", second === "conflict");
      await writer.append({ type: "user", message: { role: "user", content: "Go on: fix the parser." } });
    } finally {
      await writer.close();
    }
    const after = await sessions.readConversation(session);
    const added = after.entries.at(-1)!;
    claim(
      "the next entry starts on a line of its own, after the half one",
      after.entries.length === before.entries.length + 1,
    );
    claim("and its parent is the last one that was saved", isNode(added) && added.parentUuid === last);
  },
};
