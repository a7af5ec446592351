import fs from "node:fs";
import path from "node:path";
import type { Scene } from "../scene.ts";

export const hostileText: Scene = {
  title: "A transcript is only text",
  async play({ sessions, session, cwd, tell, claim, run }) {
    tell(
      "A tool printed an escape that renames the window, and a token. Shown, the escape is gone; exported, the token is.",
    );
    // Made of two parts, so that nobody's scanner takes this file for a leak.
    const token = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
    const writer = await sessions.openWriter({ cwd, sessionId: session.sessionId });
    try {
      const text = `\u001b]0;owned\u0007The token is ${token}, keep it safe.`;
      await writer.append({
        type: "assistant",
        message: { role: "assistant", id: "msg_demo_3", model: "demo", content: [{ type: "text", text }] },
      });
    } finally {
      await writer.close();
    }
    const id = session.sessionId.slice(0, 8);
    const shown = await run(["show", id, "--limit", "1", "--role", "assistant"]);
    claim(
      "no escape reaches the terminal",
      !shown.stdout.includes("\u001b") && shown.stdout.includes("The token is"),
    );
    const file = path.join(cwd, "session.html");
    const exported = await run(["export", id, "--format", "html", "-o", "session.html"]);
    const page = fs.readFileSync(file, "utf8");
    claim(
      "the exported page has no token in it",
      exported.code === 0 && !page.includes(token) && page.includes("[redacted github]"),
    );
    claim("and only its owner can read it", (fs.statSync(file).mode & 0o777) === 0o600);
  },
};
