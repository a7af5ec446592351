import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { builtInAgentTypes } from "../../src/agents/types/built-in.ts";
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
      ((block["text"] ?? block["content"] ?? block.type) as string).trim(),
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

// Whether the doctor finds a tool use without a result in it.
async function hasToolDefect(home: TaskHome, sessionId: string): Promise<boolean> {
  const { checks } = await home.json<{ checks: { name: string; findings?: { path?: string }[] }[] }>(
    "doctor",
  );
  const found = checks.find(({ name }) => name === "unanswered-tools")!.findings ?? [];
  return found.some(({ path: file = "" }) => path.basename(file) === `${sessionId}.jsonl`);
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
      expect(await home.json("inspect", id)).toMatchObject({
        status: "completed",
        description: "what is it?",
      });
      await chat.press("C-d");
      expect(await chat.ended()).toBe(0);
    }
    expect(await shown(home, session)).toEqual(whole);
    expect(await hasToolDefect(home, session)).toBe(false);
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
      // With the notice, because nobody has said anything in the conversation that was told of it.
      expect.stringMatching(/^user: <task-notification> .* thanks$/),
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
    expect(await hasToolDefect(home, session)).toBe(false);
    expect(fs.existsSync(path.join(home.home, "owed", session))).toBe(false);
  });

  test("is added to a conversation that goes on: asked by a key, a command and a verb", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    const begun = [{ text: "I begin." }, { waitFor: gate }, { text: "The answer." }, { end: true as const }];
    const script = playing({ long: [...begun, { text: "Another one." }, { end: true }] });
    await using chat = await openChatTerminal(home, script);
    await chat.shows("Ask anything");
    await chat.type("nothing yet");
    await chat.press("C-s");
    await chat.shows("Nothing was said here yet");
    await chat.say("long");
    await chat.shows("I begin.");
    await chat.type("by a key");
    await chat.press("C-s");
    await chat.shows(/s\w{8} is asked in the background/);
    await chat.say("/background by a command");
    const session = sessionAsked(home, "long");
    await waitFor(async () => (await home.json<{ tasks: unknown[] }>("ps")).tasks.length === 2);
    const verb = await home.holdfast("agent", ...script, "--from", session, "by a verb");
    expect(verb.stdout.trim()).toMatch(/s\w{8}$/);
    fs.writeFileSync(gate, "");
    const prompts = ["by a key", "by a command", "by a verb"];
    await waitFor(
      async () => {
        const file = fs.globSync(`projects/*/${session}.jsonl`, { cwd: home.configDir })[0]!;
        const text = fs.readFileSync(path.join(home.configDir, file), "utf8");
        return prompts.every((prompt) => text.includes(prompt));
      },
      { timeoutMs: 45_000 },
    );
    const said = await shown(home, session);
    expect(said.slice(0, 3)).toEqual(["long", "I begin.", "The answer."]);
    for (const prompt of prompts) expect(said[said.indexOf(prompt) + 1]).toBe("The answer.");
  });

  test("is given as the type of agent that the conversation is held as", async () => {
    await using home = taskHome();
    await using server = await startMessagesServer("I only look.");
    const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: "claude-test" };
    await using chat = await openChatTerminal(home, ["--type", "Explore"], { env });
    await chat.shows("Ask anything");
    await chat.say("where is it?");
    await chat.shows("I only look.");
    const { system, tools } = server.requests[0]!.body;
    expect(JSON.stringify(system)).toContain(
      builtInAgentTypes.find(({ name }) => name === "Explore")!.systemPrompt!.slice(0, 40),
    );
    const names = new Set(tools!.map(({ name }) => name));
    expect([names.has("Read"), names.has("Edit"), names.has("Write")]).toEqual([true, false, false]);
    await using wrong = await openChatTerminal(home, ["--type", "Nobody"], { env });
    expect(await wrong.ended()).not.toBe(0);
    expect(await wrong.history()).toContain('Cannot find agent type "Nobody"');
  });

  test("comes back to the front by its session", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    await using chat = await openChatTerminal(
      home,
      playing({ long: [{ text: "I begin." }, { waitFor: gate }, { text: "The answer." }] }),
    );
    await chat.shows("Ask anything");
    await chat.say("long");
    await chat.shows("I begin.");
    await putInBackground(chat);
    await chat.hides("I begin.");
    await chat.say(`/resume ${sessionAsked(home, "long").slice(0, 8)}`);
    await chat.shows("I begin.");
    fs.writeFileSync(gate, "");
    await chat.shows("The answer.");
    expect((await chat.screen()).join("\n")).not.toContain("◆");
  });

  test("comes under the same id when the chat is left while it runs", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    const script = playing({
      long: [
        { text: "I begin." },
        { tool: "Read", result: "words" },
        { waitFor: gate },
        { text: "The long answer." },
      ],
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
    expect(await home.json("wait", id)).toMatchObject({ tasks: [{ status: "completed" }] });
    expect((await home.holdfast("output", id)).stdout).toContain("The long answer.");
    expect((await shown(home, session)).at(-1)).toBe("The long answer.");
    const { notices } = await home.json<{ notices: unknown[] }>("notices");
    expect(notices).toMatchObject([{ taskId: id, summary: 'Background session "long" completed' }]);
    await using chat = await openChatTerminal(home, [...script, "--resume", session]);
    await chat.shows("The long answer.");
    await chat.shows('◆ Background session "long" completed');
  });
});
