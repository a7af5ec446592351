import type { Scene } from "../scene.ts";

export const compaction: Scene = {
  title: "A compaction forgets nothing",
  async play({ sessions, session, cwd, tell, claim, run }) {
    tell(
      "When the context is full, a client replaces the conversation by a summary. The file still has everything.",
    );
    const whole = await sessions.readConversation(session);
    const writer = await sessions.openWriter({ cwd, sessionId: session.sessionId });
    try {
      await writer.append({
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        parentUuid: null,
        logicalParentUuid: writer.leaf,
        compactMetadata: { trigger: "auto", preTokens: 155_000, postTokens: 9_000 },
      });
      const summary = "The build is red because the parser counts the newline twice.";
      await writer.append({
        type: "user",
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
        message: { role: "user", content: summary },
      });
      await writer.append({ type: "user", message: { role: "user", content: "Is it fixed?" } });
    } finally {
      await writer.close();
    }
    const context = await sessions.readConversation(session, { mode: "context" });
    claim(
      "a resume gives the model the boundary, the summary and what came after",
      context.entries.length === 3,
    );
    const full = await sessions.readConversation(session);
    claim("the whole conversation still has every entry", full.entries.length === whole.entries.length + 3);
    const shown = await run(["show", session.sessionId.slice(0, 8), "--limit", "4"]);
    claim("and shows where it was compacted", shown.stdout.includes("compacted (auto, 155k → 9k tokens)"));
  },
};
