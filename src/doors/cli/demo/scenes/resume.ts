import { codeOf } from "../../../../lib/errors.ts";
import type { Scene } from "../scene.ts";

export const resume: Scene = {
  title: "The conversation goes on",
  async play({ sessions, session, cwd, tell, claim }) {
    tell("The dead writer still held the session's lease. A lease of a dead process holds nobody up.");
    const before = await sessions.readConversation(session);
    const last = before.entries.at(-1) as { uuid?: string } | undefined;
    const writer = await sessions.openWriter({ cwd, sessionId: session.sessionId });
    try {
      claim(
        "a new writer takes over and stands at the last entry that was saved",
        writer.leaf === last?.uuid,
      );
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
    const added = after.entries.at(-1) as { parentUuid?: string };
    claim(
      "the next entry starts on a line of its own, behind the half one",
      after.entries.length === before.entries.length + 1,
    );
    claim("and hangs on the last one that was saved", added.parentUuid === last?.uuid);
  },
};
