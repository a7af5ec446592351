import fs from "node:fs";
import type { Scene } from "../scene.ts";

export const trash: Scene = {
  title: "Removed, and brought back",
  async play({ sessions, session, claim, run }) {
    const bytes = fs.readFileSync(session.path);
    const id = session.sessionId.slice(0, 8);
    await run(["rm", id]);
    const gone = await sessions.list();
    claim(
      "a removed session is no longer listed",
      !gone.some(({ sessionId }) => sessionId === session.sessionId),
    );
    await run(["rm", "--restore", id]);
    claim("and comes back from the trash byte for byte", fs.readFileSync(session.path).equals(bytes));
  },
};
