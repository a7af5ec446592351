import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  startMessagesServer,
  type MessagesRequest,
  type MessagesServer,
} from "../support/messages-server.ts";
import { hasTmux, openChatTerminal, type ChatTerminal } from "./chat-terminal.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

function openChat(home: TaskHome, server: MessagesServer, ...args: string[]): Promise<ChatTerminal> {
  const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: "claude-test" };
  return openChatTerminal(home, args, { env });
}

// What was said, in short: who, and the texts.
function conversation({ body }: MessagesRequest): string[] {
  return body.messages.map(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const texts = blocks.map((block) => (block["text"] ?? block["content"] ?? block.type) as string);
    return `${role}: ${texts.join(" ").replaceAll(/\s+/g, " ")}`;
  });
}

const sessionIds = (home: TaskHome): string[] =>
  fs.globSync("projects/*/*.jsonl", { cwd: home.configDir }).map((name) => path.basename(name, ".jsonl"));

describe.skipIf(!hasTmux)("holdfast chat with the Messages API", () => {
  test("streams an answer, asks before a tool, and goes on with the conversation", async () => {
    await using home = taskHome();
    let finish = (): void => {};
    const until = new Promise<void>((resolve) => (finish = resolve));
    await using server = await startMessagesServer(
      { kind: "answer", content: ["The first half, and the second half."], until },
      { kind: "answer", content: ["I look.", { tool: "Bash", input: { command: "echo 4$((1+1))" } }] },
      "It says 42.",
      { kind: "answer", content: [{ tool: "Bash", input: { command: "echo 4$((1+1))" } }] },
      "Still 42.",
    );
    await using chat = await openChat(home, server);
    await chat.shows("Ask anything");
    await chat.say("hello");
    await chat.shows("✻ Answering…");
    finish();
    await chat.shows(/^ {2}The first half, and the second half\.$/m);
    await chat.hides("✻");
    await chat.say("what is it?");
    await chat.shows("? May Bash do this?");
    await chat.press("a");
    await chat.shows("It says 42.");
    await chat.shows(/● Bash +echo 4.* ✓[\s\S]*⎿ 42/);
    // Always allowed means that nobody is asked again.
    await chat.say("and now?");
    await chat.shows("Still 42.");
    expect(conversation(server.requests[4]!)).toEqual([
      "user: hello",
      "assistant: The first half, and the second half.",
      "user: what is it?",
      "assistant: I look. tool_use",
      "user: 42",
      "assistant: It says 42.",
      "user: and now?",
      "assistant: tool_use",
      "user: 42",
    ]);
  });

  test("tells the agent of the end of its background command, which wakes it", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    const command = `until [ -e '${gate}' ]; do sleep 0.05; done; echo built`;
    await using server = await startMessagesServer(
      { kind: "answer", content: [{ tool: "Bash", input: { command, run_in_background: true } }] },
      "It runs in the background.",
      "I see that it is done.",
    );
    await using chat = await openChat(home, server, "--permission", "allow");
    await chat.shows("Ask anything");
    await chat.say("build it");
    await chat.shows("It runs in the background.");
    await chat.shows(/⚙ 1 · b\w{8}/);
    await chat.type("half a prompt");
    fs.writeFileSync(gate, "");
    await chat.shows("◆ Background command");
    await chat.shows("I see that it is done.");
    await chat.shows("❯ half a prompt");
    const last = conversation(server.requests[2]!).at(-1);
    expect(last).toMatch(/^user: <task-notification> <task-id>b\w{8}<\/task-id> <tool-use-id>/);
    expect(await home.json("notices")).toMatchObject({ notices: [] });
  });

  test("folds what ended before it began into one line, and tells a session's own news to its agent", async () => {
    await using home = taskHome();
    await using server = await startMessagesServer("One.", "Two.", "Three.");
    const end = async (...args: string[]): Promise<string> => {
      const id = await home.start(...args, "--", "true");
      await home.untilEnded(id);
      return id;
    };
    const ids = [await end(), await end("--session", "gone")];
    const line = /^. 2 tasks ended since \d{4}-\d\d-\d\d \d\d:\d\d: holdfast notices$/m;
    {
      await using chat = await openChat(home, server);
      await chat.shows(line);
      await chat.say("first");
      await chat.shows("One.");
      // What ends from now on is told at once.
      const news = await end();
      await chat.shows("◆ Background command");
      await chat.say("second");
      await chat.shows("Two.");
      expect(conversation(server.requests[1]!).filter((text) => text.includes(news))).toHaveLength(1);
      await chat.press("C-d");
      expect(await chat.ended()).toBe(0);
    }
    const [session = ""] = sessionIds(home);
    const own = await end("--session", session);
    await using chat = await openChat(home, server, "--resume", session);
    await chat.shows(line);
    await chat.shows("◆ Background command");
    await chat.say("third");
    await chat.shows("Three.");
    const said = conversation(server.requests[2]!).join("\n");
    expect([own, ...ids].filter((id) => said.includes(id))).toEqual([own]);
    const { notices } = await home.json<{ notices: { taskId: string }[] }>("notices");
    expect(notices.map(({ taskId }) => taskId)).toEqual(ids);
  });

  test("resumes, forks and clears: every conversation has its own session", async () => {
    await using home = taskHome();
    await using server = await startMessagesServer("One.", "Two.", "Three.", "Four.");
    {
      await using chat = await openChat(home, server);
      await chat.shows("Ask anything");
      await chat.say("first");
      await chat.shows("One.");
      await chat.press("C-d");
      expect(await chat.ended()).toBe(0);
    }
    const [first = ""] = sessionIds(home);
    await using chat = await openChat(home, server, "--resume", "@last");
    await chat.shows("One.");
    await chat.say("/fork");
    await chat.shows(`the original is ${first.slice(0, 8)}`);
    await chat.say("second");
    await chat.shows("Two.");
    expect(conversation(server.requests[1]!)).toEqual(["user: first", "assistant: One.", "user: second"]);
    expect(sessionIds(home)).toHaveLength(2);
    await chat.say("/clear");
    await chat.hides("Two.");
    await chat.say("third");
    await chat.shows("Three.");
    expect(conversation(server.requests[2]!)).toEqual(["user: third"]);
    await chat.say("/resume");
    await chat.shows("Resume");
    await chat.press("Escape");
    await chat.hides("Resume");
    await chat.say(`/resume ${first.slice(0, 8)}`);
    await chat.shows("One.");
    await chat.hides("Two.");
    await chat.say("fourth");
    await chat.shows("Four.");
    expect(conversation(server.requests[3]!)).toEqual(["user: first", "assistant: One.", "user: fourth"]);
    await chat.say("/resume nothing-like-it");
    await chat.shows("! Cannot find session");
  });

  test("does not take a session that somebody else has open", async () => {
    await using home = taskHome();
    await using server = await startMessagesServer("One.");
    await using chat = await openChat(home, server);
    await chat.shows("Ask anything");
    await chat.say("first");
    await chat.shows("One.");
    await chat.say("/resume @last");
    await chat.shows(/! Cannot resume session .*: it is already\s+open/);
    await using other = await openChat(home, server, "--resume", "@last");
    expect(await other.ended()).toBe(5);
    expect(await other.history()).toContain("Close it there first, or try again later.");
  });
});
