import type { Scene } from "../scene.ts";

export const writeSession: Scene = {
  title: "A program writes a session",
  async play({ sessions, session, cwd, tell, claim, run }) {
    tell(
      "An agent's conversation is an append-only file in the client's own format. Here a program writes one.",
    );
    const writer = await sessions.openWriter({
      cwd,
      sessionId: session.sessionId,
      gitBranch: "main",
    });
    try {
      await writer.append({ type: "user", message: { role: "user", content: "Why is the build red?" } });
      await writer.append({
        type: "assistant",
        message: {
          role: "assistant",
          id: "msg_demo_1",
          model: "demo",
          content: [{ type: "tool_use", id: "toolu_demo_1", name: "Bash", input: { command: "npm test" } }],
        },
      });
      const result = {
        type: "tool_result",
        tool_use_id: "toolu_demo_1",
        content: "1 test failed: parser.test.ts\nexpected 3, got 4",
      };
      await writer.append({ type: "user", message: { role: "user", content: [result] } });
      await writer.append({
        type: "assistant",
        message: {
          role: "assistant",
          id: "msg_demo_2",
          model: "demo",
          content: [{ type: "text", text: "One test of the parser fails; it counts the newline twice." }],
        },
      });
    } finally {
      await writer.close();
    }
    const listed = await run(["sessions"]);
    claim(
      "the session is listed, by its first prompt",
      listed.code === 0 && listed.stdout.includes("Why is the build red?"),
    );
    const shown = await run(["show", session.sessionId.slice(0, 8)]);
    claim(
      "it reads as a conversation, the tool call folded with its result",
      /Bash\s+npm test\s+✓/.test(shown.stdout),
    );
  },
};
