import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectKey } from "../../src/format/paths.ts";
import type { ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import { waitFor } from "../support/index.ts";
import { hasTmux, openChatTerminal, playing } from "./chat-terminal.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

function transcripts(home: TaskHome): string[] {
  const dir = path.join(home.configDir, "projects", projectKey(home.cwd));
  return fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name.endsWith(".jsonl")) : [];
}

function entriesOf(home: TaskHome, name: string): Record<string, unknown>[] {
  const file = path.join(home.configDir, "projects", projectKey(home.cwd), name);
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const sessionOf = (home: TaskHome, prompt: string): string =>
  transcripts(home).find((name) => JSON.stringify(entriesOf(home, name)).includes(`"${prompt}"`))!;

const said = (entries: Record<string, unknown>[]): unknown[] =>
  entries.map(({ message }) => (message as { content?: unknown } | undefined)?.content);

describe.skipIf(!hasTmux)("holdfast chat in the background", () => {
  test("Ctrl+B twice, /clear, another query, the notice, back to the front, stop", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    const never = path.join(home.cwd, "never");
    await using chat = await openChatTerminal(
      home,
      playing({
        long: [{ run: "echo begun >&2" }, { waitFor: gate }, { text: "The long answer." }],
        short: [{ text: "The short answer." }],
        endless: [{ text: "I begin." }, { waitFor: never }, { text: "Not said." }],
      }),
    );
    await chat.shows("Ask anything");
    await chat.say("long");
    await chat.shows("? May Bash do this?");
    await chat.shows("echo begun >&2");
    await chat.press("y");
    await chat.shows(/● Bash +echo begun >&2 +✓/);

    // Pressed once, it only says what pressing it again does.
    await chat.press("C-b");
    await chat.shows("Press Ctrl+B again");
    await chat.press("C-b");
    await chat.shows(/s[0-9a-z]{8} goes on in the background: long/);
    await chat.hides("● Bash");
    await chat.shows(/⚙ 1 · s[0-9a-z]{8} long/);
    const id = /s[0-9a-z]{8}/.exec((await chat.screen()).join("\n"))![0];
    expect(await home.json("ps")).toMatchObject({ tasks: [{ id, status: "running" }] });

    // Its transcript is its own: the session it came from grows when it has ended, the new one knows nothing of it.
    await chat.say("short");
    await chat.shows("The short answer.");
    await chat.say("/clear");
    await chat.hides("The short answer.");
    await chat.say("endless");
    await chat.shows("I begin.");
    const before = entriesOf(home, sessionOf(home, "long"));
    fs.writeFileSync(gate, "");
    await waitFor(async () => (await home.holdfast("wait", id)).code === 0);
    await waitFor(() => entriesOf(home, sessionOf(home, "long")).length > before.length);
    const after = entriesOf(home, sessionOf(home, "long"));
    expect([after.slice(0, before.length), JSON.stringify(said(after.slice(before.length)))]).toEqual([
      before,
      expect.stringContaining("The long answer."),
    ]);
    expect(said(entriesOf(home, sessionOf(home, "short")))).toHaveLength(2);

    // In the middle of a query no notice appears; when it is over, once.
    expect((await chat.screen()).join("\n")).not.toContain("◆");
    await chat.press("C-c");
    await chat.shows("Interrupted by the user");
    await chat.shows('◆ Background session "long" completed');
    const told = entriesOf(home, sessionOf(home, "endless")).filter(({ origin }) => origin !== undefined);
    expect(told).toMatchObject([{ origin: { kind: "task-notification" }, promptSource: "system" }]);
    expect(await home.json("notices")).toMatchObject({ notices: [] });

    // Brought to the front, the whole conversation is there, also in the session's own transcript.
    await chat.say("/tasks");
    await chat.shows(`❯ ${id}  ended`);
    await chat.press("Enter");
    await chat.shows("The long answer.");
    await chat.shows(/● Bash +echo begun >&2 +✓/);
    await chat.shows("The conversation before this one: /resume");
    await waitFor(() =>
      said(entriesOf(home, sessionOf(home, "long"))).some((content) =>
        JSON.stringify(content).includes("The long answer."),
      ),
    );
    await chat.press("C-d");
    expect(await chat.ended()).toBe(0);
    await chat.shows("Come back: holdfast chat --resume");
  });

  test("swaps what is in front, and stops a query by stopping its task", async () => {
    await using home = taskHome();
    const gates = ["one", "two"].map((name) => path.join(home.cwd, name));
    await using chat = await openChatTerminal(
      home,
      playing({
        first: [{ text: "First begins." }, { waitFor: gates[0]! }, { text: "First ends." }],
        second: [{ text: "Second begins." }, { waitFor: gates[1]! }, { text: "Second ends." }],
      }),
    );
    await chat.shows("Ask anything");
    await chat.say("first");
    await chat.shows("First begins.");
    await chat.press("C-b", "C-b");
    await chat.shows(/⚙ 1 · s\w{8} first/);
    await chat.say("second");
    await chat.shows("Second begins.");

    // The query in front goes to the background when another one comes.
    await chat.say("/tasks");
    await chat.shows(/❯ s\w{8} {2}running/);
    await chat.press("Enter");
    await chat.shows("First begins.");
    await chat.hides("Second begins.");
    await chat.shows(/⚙ 1 · s\w{8} second/);

    // What ends in front ends without a notice.
    fs.writeFileSync(gates[0]!, "");
    await chat.shows("First ends.");
    await chat.shows(/❯ *$/m);
    expect((await chat.screen()).join("\n")).not.toContain("◆");

    await chat.say("/tasks");
    await chat.shows(/❯ s\w{8} {2}running/);
    await chat.press("s");
    await chat.shows(/s\w{8} {2}ended/);
    await chat.press("Escape");
    await chat.shows('◆ Background session "second" was stopped');
    const { tasks } = await home.json<{ tasks: { status: string; stoppedBy?: string }[] }>("ps", "-a");
    expect(tasks.map(({ status }) => status).sort()).toEqual(["completed", "stopped"]);
  });

  test("gives a query a process of its own when the chat is left, and says what still runs", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "go");
    const shell = await home.start("--name", "server", "--", "sleep 600");
    await using chat = await openChatTerminal(
      home,
      playing({ long: [{ text: "I begin." }, { waitFor: gate }, { text: "The long answer." }] }),
    );
    await chat.shows(`⚙ 1 · ${shell} server`);
    await chat.say("long");
    await chat.shows("I begin.");
    await chat.press("C-b", "C-b");
    await chat.shows("goes on in the background");
    await chat.press("C-c");
    await chat.shows("Press Ctrl+C again to quit");
    await chat.press("C-c");
    expect(await chat.ended()).toBe(0);
    await chat.shows(/Still running \(holdfast ps\):\n {2}s\w{8} {2}long\n {2}b\w{8} {2}server/);
    const [agent = ""] = /s\w{8}/.exec((await chat.screen()).join("\n")) ?? [];
    fs.writeFileSync(gate, "");
    expect(await home.json("wait", agent)).toMatchObject({ tasks: [{ status: "completed" }] });
    expect((await home.holdfast("output", agent)).stdout).toContain("The long answer.");
    // A person has read it; its session has not, and will hear of it once.
    const { notices } = await home.json<{ notices: { taskId: string }[] }>("notices");
    expect(notices.map(({ taskId }) => taskId)).toEqual([agent]);
  });

  test("a query in the background asks: answered by anybody, or in front", async () => {
    await using home = taskHome();
    const gates = ["one", "two"].map((name) => path.join(home.cwd, name));
    const asks = (gate: string, command: string): ScriptStep[] => [
      { text: "I begin." },
      { waitFor: gate },
      { run: command },
      { text: "It was done." },
    ];
    await using chat = await openChatTerminal(
      home,
      playing({ first: asks(gates[0]!, "echo first"), second: asks(gates[1]!, "echo second") }),
    );
    await chat.shows("Ask anything");
    await chat.say("first");
    await chat.shows("I begin.");
    await chat.press("C-b", "C-b");
    await chat.shows(/⚙ 1 · s\w{8} first/);
    fs.writeFileSync(gates[0]!, "");
    await chat.shows(/⚙ 1 · s\w{8} needs input/);
    const [id = ""] = /s\w{8}(?= needs input)/.exec((await chat.screen()).join("\n")) ?? [];
    const { requestId } = await waitFor(
      async () => (await home.json<{ needsInput?: { requestId: string } }>("inspect", id)).needsInput,
    );
    expect(await home.json("inspect", id)).toMatchObject({ status: "running" });
    expect((await home.holdfast("approve", id, "--request", requestId)).code).toBe(0);
    await chat.shows('◆ Background session "first" completed');

    await chat.say("second");
    await chat.shows("I begin.");
    await chat.press("C-b", "C-b");
    await chat.shows(/s\w{8} second/);
    fs.writeFileSync(gates[1]!, "");
    await chat.shows(/s\w{8} needs input/);
    await chat.say("/tasks");
    await chat.shows(/❯ s\w{8} {2}needs input/);
    await chat.press("Enter");
    await chat.shows("? May Bash do this?");
    await chat.press("n");
    await chat.shows(/● Bash +echo second +✗/);
    await chat.shows("It was done.");
  });

  test("Ctrl+C twice interrupts what runs, writes it down, and leaves", async () => {
    await using home = taskHome();
    const never = path.join(home.cwd, "never");
    await using chat = await openChatTerminal(
      home,
      playing({ go: [{ text: "I begin." }, { waitFor: never }] }),
    );
    await chat.shows("Ask anything");
    await chat.say("go");
    await chat.shows("I begin.");
    await chat.press("C-c", "C-c");
    expect(await chat.ended()).toBe(0);
    const session = sessionOf(home, "go");
    await chat.shows(`Come back: holdfast chat --resume ${session.slice(0, 36)}`);
    expect(said(entriesOf(home, session))).toEqual([
      "go",
      [{ type: "text", text: "I begin." }],
      [{ type: "text", text: "[Request interrupted by user]" }],
    ]);
    expect(fs.readdirSync(path.join(home.home, "leases"))).toEqual([]);
  });

  test("looks at a command and stops it", async () => {
    await using home = taskHome();
    const id = await home.start("--name", "server", "--", "echo ready to serve; sleep 600");
    await using chat = await openChatTerminal(home, playing({}));
    await chat.shows(`⚙ 1 · ${id} server`);
    await chat.say("/tasks");
    await chat.shows(`❯ ${id}  running`);
    await chat.press("Enter");
    await chat.shows("  ready to serve");
    await chat.press("s");
    await chat.shows("Nothing runs in the background.");
    await chat.press("Escape");
    await chat.shows('◆ Background command "echo ready to serve; sleep 600" was stopped');
    await chat.hides("⚙");
    expect(await home.json("inspect", id)).toMatchObject({ status: "stopped", stoppedBy: "tester" });
  });
});
