import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { startMessagesServer, type MessagesRequest } from "../support/messages-server.ts";
import { hasTmux, openChatTerminal, playing, type ChatTerminal } from "./chat-terminal.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

// What a model is given, in short: who, and the texts.
function conversation({ body }: MessagesRequest): string[] {
  return body.messages.map(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const texts = blocks.map((block) => (block["text"] ?? block["content"] ?? block.type) as string);
    return `${role}: ${texts.join(" ").replaceAll(/\s+/g, " ").trim()}`;
  });
}

interface Shown {
  entries: { type: string; message: { content: string | { type: string; [key: string]: unknown }[] } }[];
}

// What `show` says of a session, in short.
async function shown(home: TaskHome, sessionId: string): Promise<string[]> {
  const { entries } = await home.json<Shown>("show", sessionId);
  return entries.flatMap(({ message: { content } }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content).map((block) =>
      String(block["text"] ?? block["content"] ?? block.type).trim(),
    ),
  );
}

// The session that this was asked in.
function sessionAsked(home: TaskHome, prompt: string): string {
  const files = fs.globSync("projects/*/*.jsonl", { cwd: home.configDir });
  const found = files.find((name) =>
    fs.readFileSync(path.join(home.configDir, name), "utf8").includes(`"content":"${prompt}"`),
  );
  return path.basename(found ?? "", ".jsonl");
}

async function toolDefects(home: TaskHome): Promise<unknown> {
  const { checks } = await home.json<{ checks: { name: string; status: string }[] }>("doctor");
  return checks.find(({ name }) => name === "unanswered-tools")?.status;
}

async function putInBackground(chat: ChatTerminal): Promise<string> {
  await chat.press("C-b", "C-b");
  await chat.shows(/s[0-9a-z]{8} goes on in the background/);
  return /s[0-9a-z]{8}/.exec((await chat.screen()).join("\n"))![0];
}

const command = "echo 4$((1+1))";

describe.skipIf(!hasTmux)("the answer of a query in the background", () => {
  test("is in its conversation when the chat is left after it, for show, fork, doctor and the model", async () => {
    await using home = taskHome();
    let finish = (): void => {};
    const until = new Promise<void>((resolve) => (finish = resolve));
    await using server = await startMessagesServer(
      { kind: "answer", content: ["I look.", { tool: "Bash", input: { command } }] },
      { kind: "answer", content: ["It says 42."], until },
      "You are welcome.",
    );
    const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: "claude-test" };
    const openChat = (...args: string[]): Promise<ChatTerminal> =>
      openChatTerminal(home, ["--permission", "allow", ...args], { env });
    const whole = ["what is it?", "I look.", "tool_use", "42", "It says 42."];
    let session: string;
    {
      await using chat = await openChat();
      await chat.shows("Ask anything");
      await chat.say("what is it?");
      await waitFor(() => server.requests.length === 2);
      const id = await putInBackground(chat);
      session = sessionAsked(home, "what is it?");
      // While it runs its conversation is shown as far as it is.
      expect(await shown(home, session)).toEqual(whole.slice(0, 4));
      finish();
      await chat.shows('◆ Background session "what is it?" completed');
      expect(await home.json("inspect", id)).toMatchObject({ status: "completed", description: "what is it?" });
      await chat.press("C-d");
      expect(await chat.ended()).toBe(0);
    }
    expect(await shown(home, session)).toEqual(whole);
    expect(await toolDefects(home)).toBe("ok");
    const { sessionId: fork } = await home.json<{ sessionId: string }>("fork", session);
    expect(await shown(home, fork)).toEqual(whole);
    await using chat = await openChat("--resume", session);
    await chat.shows("It says 42.");
    await chat.say("thanks");
    await chat.shows("You are welcome.");
    expect(conversation(server.requests[2]!)).toEqual([
      "user: what is it?",
      "assistant: I look. tool_use",
      "user: 42",
      "assistant: It says 42.",
      "user: thanks",
    ]);
  });

  test("is in its conversation as far as it was when the chat is killed", async () => {
    await using home = taskHome();
    await using server = await startMessagesServer(
      { kind: "answer", content: ["I look.", { tool: "Bash", input: { command } }] },
      { kind: "answer", content: ["Again.", { tool: "Bash", input: { command: "sleep 600" } }] },
      "I see.",
    );
    const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: "claude-test" };
    const openChat = (...args: string[]): Promise<ChatTerminal> =>
      openChatTerminal(home, ["--permission", "allow", ...args], { env });
    {
      await using chat = await openChat();
      await chat.shows("Ask anything");
      await chat.say("what is it?");
      // In the background before the second answer comes: only its own transcript has that.
      await chat.shows(/sleep 600/);
      const id = await putInBackground(chat);
      const { pid } = await home.json<{ pid: number }>("inspect", id);
      process.kill(pid, "SIGKILL");
      expect(await chat.ended()).toBe(137);
      expect(await home.json("inspect", id)).toMatchObject({ status: "lost" });
    }
    const session = sessionAsked(home, "what is it?");
    const before = ["what is it?", "I look.", "tool_use", "42", "Again.", "tool_use"];
    expect(await shown(home, session)).toEqual(before);
    await using chat = await openChat("--resume", session);
    await chat.shows("Again.");
    await chat.say("and?");
    await chat.shows("I see.");
    const interrupted = expect.stringMatching(/^user: Interrupted: .* and\?$/);
    expect(conversation(server.requests[2]!)).toEqual([
      "user: what is it?",
      "assistant: I look. tool_use",
      "user: 42",
      "assistant: Again. tool_use",
      interrupted,
    ]);
    await chat.press("C-d");
    expect(await chat.ended()).toBe(0);
    expect(await toolDefects(home)).toBe("ok");
    expect(fs.existsSync(path.join(home.home, "owed", session))).toBe(false);
  });

  test("comes under the same id when the chat is left while it runs", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    const script = playing({
      long: [{ text: "I begin." }, { tool: "Read", result: "words" }, { waitFor: gate }, { text: "The long answer." }],
    });
    const id = await (async () => {
      await using chat = await openChatTerminal(home, script);
      await chat.shows("Ask anything");
      await chat.say("long");
      await chat.shows("words");
      const task = await putInBackground(chat);
      await chat.press("C-d");
      expect(await chat.ended()).toBe(0);
      return task;
    })();
    const session = sessionAsked(home, "long");
    const { tasks } = await home.json<{ tasks: unknown[] }>("ps", "-a");
    expect(tasks).toMatchObject([{ id, status: "running" }]);
    expect(await shown(home, session)).toEqual(["long", "I begin.", "tool_use", "words"]);
    fs.writeFileSync(gate, "");
    expect(await home.json("wait", id)).toMatchObject({ status: "completed" });
    expect((await home.holdfast("output", id)).stdout).toContain("The long answer.");
    expect((await shown(home, session)).at(-1)).toBe("The long answer.");
    const { notices } = await home.json<{ notices: unknown[] }>("notices");
    expect(notices).toMatchObject([{ taskId: id, summary: 'Background session "long" completed' }]);
    await using chat = await openChatTerminal(home, [...script, "--resume", session]);
    await chat.shows("The long answer.");
    await chat.shows('◆ Background session "long" completed');
  });
});
