import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { hasTmux, openChatTerminal, playing } from "./chat-terminal.ts";
import { taskHome } from "./task-cli.ts";

describe.skipIf(!hasTmux)("holdfast chat", () => {
  test("says whom one talks to, where, who decides, how full it is and what it costs", async () => {
    await using home = taskHome();
    await home.holdfast("config", "set", "permission", "rules");
    await home.holdfast("config", "set", "prices", '{"mine":{"input":1000,"output":1000}}');
    const script = path.join(home.cwd, "script.json");
    const played = { model: "mine", usage: { input_tokens: 1500, output_tokens: 500 } };
    fs.writeFileSync(script, JSON.stringify({ ...played, steps: [{ text: "Hello." }] }));
    await using chat = await openChatTerminal(home, ["--script", script], { columns: 160 });
    await chat.shows(`scripted · ${home.cwd} · tools: rules`);
    await chat.say("hello");
    await chat.shows(`scripted · mine · ${home.cwd} · tools: rules · 2k context · $2.00`);
    await chat.say("/cost");
    await chat.shows(/• cost: \$2\.00\n {2}• answers: 1\n {2}• tokens in: 2k, out: 500/);
    await chat.say("/model other");
    await chat.shows("The model is other from the next prompt on");
    await chat.shows("scripted · other · ");
    await chat.say("/permissions allow");
    await chat.shows("tools: allow");
    await chat.say("/export talk.md");
    await chat.shows(/Wrote .*talk\.md/);
    expect(fs.readFileSync(path.join(home.cwd, "talk.md"), "utf8")).toContain("Hello.");
    await chat.say("/export talk.md");
    await chat.shows("it exists");
  });

  test("ends a query at the limits of the settings, and knows how full a session is that it goes on with", async () => {
    await using home = taskHome();
    await home.holdfast("config", "set", "limits.maxTurns", "2");
    const script = path.join(home.cwd, "script.json");
    const steps = [{ tool: "Read" }, { tool: "Grep" }, { text: "Never." }];
    fs.writeFileSync(script, JSON.stringify({ usage: { input_tokens: 7000, output_tokens: 0 }, steps }));
    {
      await using chat = await openChatTerminal(home, ["--script", script], { columns: 160 });
      await chat.shows("Ask anything");
      await chat.say("hello");
      await chat.shows(/The agent ended: .*2 turns/);
      expect((await chat.screen()).join("\n")).not.toContain("Never.");
      await chat.press("C-d");
      expect(await chat.ended()).toBe(0);
    }
    await using chat = await openChatTerminal(home, ["--script", script, "--resume", "@last"], {
      columns: 160,
    });
    await chat.shows("tools: ask · 7k context");
  });

  test("allows no more than the folder does", async () => {
    await using home = taskHome();
    fs.mkdirSync(path.join(home.cwd, ".holdfast"));
    fs.writeFileSync(path.join(home.cwd, ".holdfast", "config.json"), '{"permission":"ask"}');
    await using chat = await openChatTerminal(home, playing({}));
    await chat.shows("tools: ask");
    await chat.say("/permissions allow");
    await chat.shows(/Cannot use permission allow:[^]*allows no more than ask/);
    expect((await chat.screen()).at(-1)).toContain("tools: ask");
  });

  test("shows what a command prints while it runs, and unfolds what it printed", async () => {
    await using home = taskHome();
    const gate = `${home.cwd}/go`;
    const command = `printf 'line %s\\n' 1 2 3 4 5 6 7 8; printf '\\ttab'; while [ ! -e ${gate} ]; do sleep 0.05; done`;
    await using chat = await openChatTerminal(home, [
      ...playing({ hello: [{ run: command }, { text: "Ready." }] }),
      "--permission",
      "allow",
    ]);
    await chat.shows("Ask anything");
    await chat.say("hello");
    await chat.shows(/● Bash .*\n {2}line 5\n {2}line 6\n {2}line 7\n {2}line 8\n {6}tab\n/);
    fs.writeFileSync(gate, "");
    await chat.shows("Ready.");
    await chat.shows("⎿ line 1 (+8 lines)");
    await chat.press("C-o");
    await chat.shows(/ {2}line 1\n {2}line 2\n[^]* {2}line 8\n {6}tab\n1–9 of 9 lines/);
    await chat.press("PageDown");
    await chat.shows("9–9 of 9 lines");
    await chat.type("x");
    await chat.shows(/─\n❯ x\n─/);
    await chat.hides("of 9 lines");
    expect(await chat.history()).not.toContain("line 5");
  });

  test("completes commands, files and sessions, searches earlier prompts, undoes, and edits elsewhere", async () => {
    await using home = taskHome();
    fs.mkdirSync(path.join(home.cwd, "src"));
    fs.writeFileSync(path.join(home.cwd, "src", "wide-name.ts"), "");
    const editor = path.join(home.cwd, "editor.sh");
    fs.writeFileSync(editor, '#!/bin/sh\nprintf "%s and more\\n" "$(cat "$1")" > "$1"\n', { mode: 0o755 });
    await using chat = await openChatTerminal(home, playing({}), { env: { EDITOR: editor } });
    await chat.shows("Ask anything");
    await chat.type("/per");
    await chat.shows("❯ /permissions");
    await chat.press("Tab");
    await chat.shows(/─\n❯ \/permissions\n─/);
    await chat.press("C-u");
    await chat.type("see @wide");
    await chat.shows("❯ @src/wide-name.ts");
    await chat.press("Tab");
    await chat.shows("❯ see @src/wide-name.ts");
    await chat.press("C-g");
    await chat.shows("❯ see @src/wide-name.ts  and more");
    await chat.press("C-_");
    await chat.shows(/❯ see @src\/wide-name\.ts\n/);
    await chat.press("Enter");
    await chat.shows("I have nothing to say to that.");
    await chat.press("C-r");
    await chat.type("WIDE");
    await chat.shows(/Search earlier prompts: WIDE\n❯ see @src\/wide-name\.ts/);
    await chat.press("Enter");
    await chat.shows(/─\n❯ see @src\/wide-name\.ts\n─/);
    await chat.press("C-u");
    await chat.type("/resume ");
    await chat.shows(/❯ [0-9a-f]{8} {2}see @src/);
    await chat.press("Tab");
    await chat.shows(/─\n❯ \/resume [0-9a-f]{8}\n─/);
    expect(fs.readdirSync(home.cwd).sort()).toEqual(["editor.sh", "src"]);
  });

  test("uses only ASCII of its own where the locale has nothing else", async () => {
    await using home = taskHome();
    await using chat = await openChatTerminal(home, playing({ hello: [{ tool: "Bash", result: "ok" }] }), {
      env: { LC_ALL: "C" },
    });
    await chat.shows("> Ask anything");
    await chat.say("hello");
    await chat.shows("* Bash  +");
    expect((await chat.screen()).join("\n")).not.toMatch(/[^\x20-\x7e\n]/);
  });

  test("refuses a terminal that nothing can be drawn on", async () => {
    await using home = taskHome({ TERM: "dumb" });
    const chat = home.spawnOnTerminal(["chat", ...playing({})]);
    expect(await chat.ended()).toBe(2);
    await chat.shows("TERM=dumb");
  });
});
