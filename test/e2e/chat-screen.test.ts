import { describe, expect, test } from "vitest";
import { hasTmux, openChatTerminal, playing } from "./chat-terminal.ts";
import { taskHome } from "./task-cli.ts";

const long = "word ".repeat(60).trim();

describe.skipIf(!hasTmux)("the screen of holdfast chat", () => {
  test("fits a narrow window and one that changes its size", async () => {
    await using home = taskHome();
    await using chat = await openChatTerminal(
      home,
      playing({ hello: [{ text: long }, { run: `echo ${long}` }] }),
      { columns: 40, rows: 15 },
    );
    await chat.shows("Ask anything");
    await chat.say("hello");
    await chat.shows("? May Bash do this?");
    const narrow = await chat.screen();
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(narrow.filter((line) => line === "─".repeat(40))).toHaveLength(2);
    await chat.resize({ columns: 70, rows: 20 });
    await chat.shows("─".repeat(70));
    await chat.resize({ columns: 30, rows: 12 });
    // Drawn anew, nothing left behind: one prompt between two rules.
    const marks = async (): Promise<string[]> =>
      (await chat.screen()).filter((line) => /^(?:─+$|❯)/.test(line));
    await expect
      .poll(marks, { timeout: 30_000 })
      .toEqual(["─".repeat(30), expect.any(String), "─".repeat(30)]);
    await chat.press("n");
    await chat.shows(/● Bash .*✗/);
  });

  test("renders Markdown as show does, with code in colour", async () => {
    await using home = taskHome();
    const text = "It **is**:\n\n- one\n- `two`\n\n```ts\nconst a = 1;\n```";
    await using chat = await openChatTerminal(home, playing({ hello: [{ text }] }));
    await chat.shows("Ask anything");
    await chat.say("hello");
    await chat.shows(/^ {2}It is:\n\n {2}• one\n {2}• two\n\n {4}const a = 1;$/m);
    expect(await chat.colors()).toContain("\u001b[35mconst\u001b[39m");
  });

  test("shows nothing that a terminal would obey, and no colour when none is wanted", async () => {
    await using home = taskHome();
    const evil = "plain\u001b]0;owned\u0007 \u001b[2Jred\u001b[31m \u202eback";
    await using chat = await openChatTerminal(
      home,
      playing({ hello: [{ tool: "Bash", input: { command: evil }, result: evil }, { text: evil }] }),
      { env: { NO_COLOR: "1" } },
    );
    await chat.shows("Ask anything");
    await chat.say("hello");
    await chat.shows(/^ {2}plain red back$/m);
    await chat.shows("● Bash  plain red back");
    expect(await chat.colors()).not.toContain("\u001b[");
  });

  test("edits a prompt of several lines, by characters as they are shown, with earlier prompts", async () => {
    await using home = taskHome();
    await using chat = await openChatTerminal(home, playing({}));
    await chat.shows("Ask anything");
    await chat.type("日本語");
    await chat.shows("❯ 日本語");
    expect(await chat.cursor()).toMatchObject({ x: 8 });
    await chat.press("Left", "BSpace");
    await chat.shows("❯ 日語");
    expect(await chat.cursor()).toMatchObject({ x: 4 });
    await chat.press("C-u");
    await chat.press("C-k");
    await chat.paste("first line\nsecond line");
    await chat.shows(/❯ first line\n {2}second line/);
    await chat.press("Up", "C-e");
    await chat.type("!");
    await chat.press("Enter");
    await chat.shows(/❯ first line!\n {2}second line/);
    await chat.shows("I have nothing to say to that.");
    await chat.press("Up");
    await chat.shows(/─\n❯ first line!\n {2}second line\n─/);
    await chat.press("C-c");
    await chat.hides(/─\n❯ first line!/);
  });

  test("shows the plan, an answer under way, what was typed meanwhile, and that a query failed", async () => {
    await using home = taskHome();
    const gate = `${home.cwd}/go`;
    await using chat = await openChatTerminal(
      home,
      playing({
        hello: [
          {
            todos: [
              { content: "Read the code", status: "completed" },
              { content: "Write the test", status: "in_progress", activeForm: "Writing the test" },
            ],
          },
          { delta: "So far so" },
          { waitFor: gate },
          { hear: true },
          { fail: "the machine is on fire" },
        ],
      }),
    );
    await chat.shows("Ask anything");
    await chat.say("hello");
    await chat.shows("To do: 1 of 2 done");
    await chat.shows("▸ Writing the test");
    await chat.shows(/^ {2}So far so$/m);
    await chat.shows(/✻ Answering… .*Ctrl\+C interrupts/);
    await chat.say("and hurry");
    await chat.shows("queued: and hurry");
    await home.holdfast("run", "--wait", "--", `touch ${gate}`);
    await chat.hides("queued: and hurry");
    await chat.shows("❯ and hurry");
    await chat.shows("! the machine is on fire");
    await chat.say("/taks");
    await chat.shows("There is no command /taks; did you mean /tasks?");
    await chat.say("/help");
    await chat.shows("• /tasks: what runs in the background");
    expect(await chat.cursor()).toMatchObject({ x: 2 });
  });
});

describe("holdfast chat", () => {
  test.each([
    [["--json", "--script", "x"], 2, /Cannot chat in JSON/],
    [["--script", "x"], 2, /^holdfast: Cannot chat: this is not a terminal; ask once with holdfast agent/],
    [
      ["--agent", "clippy"],
      2,
      /the known agents are anthropic, claude, codex, gemini, opencode, copilot, qwen, pi/,
    ],
  ])("says why it cannot be had with %j", async (args, code, why) => {
    await using home = taskHome();
    const ended = await home.holdfast("chat", ...args);
    expect([ended.code, `${ended.stdout}${ended.stderr}`]).toEqual([code, expect.stringMatching(why)]);
  });

  test.skipIf(!hasTmux)("names the three ways to an agent when there is none", async () => {
    await using home = taskHome();
    await using chat = await openChatTerminal(home, [], { env: { PATH: "/nowhere" } });
    expect(await chat.ended()).toBe(4);
    expect(await chat.history()).toMatch(
      /set\s+ANTHROPIC_API_KEY,\s+or\s+put\s+one\s+of\s[^]*on\s+your\s+PATH,\s+or\s+name\s+any\s+ACP\s+agent/,
    );
  });
});
