import { describe, expect, test } from "vitest";
import { toAnthropicMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import { openSessionStore, type EntryDraft, type SessionStore } from "../../store/index.ts";
import { tempDir } from "../../../test/support/index.ts";
import { openChatSession } from "./chat-session.ts";
import { promptDraft } from "./entry-drafts.ts";

// A store that counts how often a conversation is read from its file.
function countingStore(): { store: SessionStore; reads: () => number } {
  const real = openSessionStore({ home: tempDir(), configDir: tempDir() });
  let reads = 0;
  const readConversation: SessionStore["readConversation"] = (...args) => {
    reads++;
    return real.readConversation(...args);
  };
  return { store: { ...real, readConversation }, reads: () => reads };
}

const tool = { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "/a" } };

function answer(id: string, ...content: object[]): EntryDraft {
  return { type: "assistant", message: { id, role: "assistant", type: "message", content } };
}

describe("ChatSession.messages()", () => {
  test("reads the transcript once, and goes on with what is appended", async () => {
    const { store, reads } = countingStore();
    const cwd = tempDir();
    const session = openChatSession(store, { cwd });
    const turn = async (...drafts: EntryDraft[]): Promise<void> => {
      for (const draft of drafts) await session.append(draft);
      const inFile = await store.readConversation(await store.find(session.id), { mode: "context" });
      expect(await session.messages()).toEqual(toAnthropicMessages(inFile.entries));
    };
    await turn(promptDraft("one", "typed"));
    const before = reads();
    const result = { type: "tool_result", tool_use_id: tool.id, content: "A" };
    await turn(
      answer("msg_1", tool),
      { type: "user", message: { role: "user", content: [result] } },
      answer("msg_2", { type: "text", text: "done" }),
      promptDraft("two", "typed"),
    );
    // The query failed.
    await turn(promptDraft("three", "typed"));
    // The test itself reads once a turn.
    expect(reads() - before).toBe(2);

    // Given up and taken again, it may have grown meanwhile.
    await session.close();
    const other = await store.openWriter({ cwd, sessionId: session.id });
    await other.append(answer("msg_3", { type: "text", text: "from elsewhere" }));
    await other.close();
    await turn(promptDraft("four", "typed"));
    expect(JSON.stringify(await session.messages())).toContain("from elsewhere");
    await session.close();
  });

  test("gives what was written, whatever becomes of what was appended", async () => {
    const session = openChatSession(countingStore().store, { cwd: tempDir() });
    await session.append(promptDraft("one", "typed"));
    await session.messages();
    const content = [{ type: "text", text: "as it was said" }];
    await session.append(answer("msg_1", ...content));
    content[0]!.text = "used for something else";
    expect((await session.messages()).at(-1)).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "as it was said" }],
    });
    await session.close();
  });
});
