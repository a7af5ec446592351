import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../src/doors/cli/render/display-width.ts";
import { sampleSession, testHome, TranscriptBuilder, waitFor, type SampleEntry } from "../support/index.ts";
import { draw } from "../support/drawn-session.ts";
import { hasTmux, openCommand } from "./chat-terminal.ts";
import { homeWithSession, run, runJson, type Answer } from "./cli.ts";

describe("holdfast show", () => {
  test("reads as a conversation, tool calls folded, each compaction marked", async () => {
    const { home, session } = homeWithSession();
    const { code, stdout, stderr } = await run(["show", session.sessionId.slice(0, 8)], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of [
      "❯ Why does the parser fail in round 1?",
      "✻ Two files to read.",
      "  I read both files.",
      "● Bash  npm test  ✓ 8 B",
      "  ⎿ 1 failed",
      "❯ Look at the tests too",
      "  The caller passes null. ü 漢 🙂",
      "❯ Then fix it",
    ]) {
      expect(stdout).toContain(`${line}\n`);
    }
    expect(stdout).toMatch(/● (?:Task|Agent) {2}Explore: Find every caller of parse\(\) {2}✓ .*agent a/);
    expect(stdout).toMatch(/── compacted \(auto, 150k tokens\) ─+\n/);
    expect(stdout).not.toContain("\u001b");
  });

  test("says first what it is, where, when and at what cost", async () => {
    const { home, session } = homeWithSession();
    const { stdout } = await run(["show", session.sessionId], { home });
    expect(stdout.split("\n").slice(0, 6)).toEqual([
      "Fix the parser",
      session.sessionId,
      expect.stringMatching(/ on main$/),
      expect.stringMatching(/^claude-\S+, <?\$\d/),
      expect.stringMatching(/^2026-03-04 \d\d:\d\d$/),
      "",
    ]);
    // What it cost takes a look at the whole file.
    expect((await run(["show", session.sessionId, "--limit", "1"], { home })).stdout).not.toContain("$");
  });

  test("--full unfolds what tools did, and only --internal names what the client put in between", async () => {
    const home = testHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    builder.prompt("Change it");
    const edit = { file_path: `${home.cwd}/a.ts`, old_string: "one", new_string: "two" };
    builder.callTools({ name: "Edit", input: edit, result: "first\nsecond" });
    builder.prompt("<system-reminder>be kind</system-reminder>");
    const { sessionId } = builder.write(home.configDir);
    const { stdout } = await run(["show", sessionId], { home });
    expect(stdout).toContain("⎿ first (+1 line)\n");
    expect(stdout).not.toContain("system-reminder");
    const full = (await run(["show", sessionId, "--full"], { home })).stdout;
    expect(full).toContain("    -one\n    +two\n  ⎿ first\n    second\n");
    const internal = (await run(["show", sessionId, "--internal"], { home })).stdout;
    expect(internal).toContain("· system-reminder\n");
  });

  test.skipIf(!hasTmux)("opens the pager on a terminal, and leaves it in peace", async () => {
    const { home, session } = homeWithSession({ rounds: 5 });
    const env = { PAGER: "less" };
    await using terminal = await openCommand(home, ["show", session.sessionId], { rows: 10, env });
    await terminal.shows(/^:$/m);
    expect((await terminal.screen())[0]).toBe("Fix the parser");
    // Ctrl+C is the pager's.
    await terminal.press("C-c");
    // It forgets keys that come with the interrupt.
    await waitFor(async () => {
      await terminal.press("G");
      return (await terminal.screen()).includes("❯ Then fix it");
    });
    await terminal.press("q");
    expect(await terminal.ended()).toBe(0);
    await using plain = await openCommand(home, ["show", session.sessionId, "--no-pager"], {
      rows: 10,
      env,
    });
    expect(await plain.ended()).toBe(0);
  });

  test("--json gives whole entries in conversation order, also of a session found by path or @last", async () => {
    const { home, session } = homeWithSession();
    const { json } = await runJson(["show", session.sessionId], { home });
    expect(json).toMatchObject({
      schemaVersion: 1,
      sessionId: session.sessionId,
      rejections: [],
      messagesElsewhere: 0,
    });
    const written = new Map(
      fs
        .readFileSync(session.path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => [line, true]),
    );
    expect(json.entries.filter((entry) => !written.has(JSON.stringify(entry)))).toEqual([]);
    expect(json.entries[0]?.message?.content).toBe("Why does the parser fail in round 1?");
    for (const id of ["@last", session.path]) {
      expect((await runJson(["show", id], { home })).json.entries).toEqual(json.entries);
    }
  });

  test("says what of the file is not in the conversation, and how to see it", async () => {
    const home = testHome();
    const drawn = draw(
      (["turn", "rewind", "line written twice", "sub-agent inside", "line that is none"] as const).map(
        (shape) => [shape, 0] as const,
      ),
      { cwd: home.cwd },
    );
    const { path: file, sessionId } = drawn.builder.write(home.configDir);
    fs.writeFileSync(file, drawn.jsonl);
    const subagents = file.replace(/\.jsonl$/, "/subagents");
    fs.mkdirSync(subagents, { recursive: true });
    fs.writeFileSync(`${subagents}/agent-acompact-f46190.jsonl`, drawn.jsonl);
    const { stdout, stderr } = await run(["show", sessionId], { home });
    expect(stdout).not.toContain("answer 5");
    expect(stderr).toContain("1 line of the transcript is not an entry and is left out:");
    const [, leaf = ""] =
      /3 messages on other branches: --leaf (\w{8}) shows one, --raw every line\n/.exec(stderr) ?? [];
    expect(stderr).toContain("2 messages of other agents in the same file: --raw shows every line\n");
    expect(stderr).toContain("1 message written again, of which one is enough: --raw shows every line\n");
    expect(stderr).toContain(
      "1 transcript of the client's own helpers, which copy lines of this one: holdfast show acompact-f46190\n",
    );
    expect((await run(["show", sessionId, "--leaf", leaf], { home })).stdout).toContain("answer 5");
    const { json } = await runJson(["show", sessionId], { home });
    const elsewhere = { branches: 3, agents: 2, repeated: 1, rejected: 1, helpers: ["acompact-f46190"] };
    expect(json).toMatchObject({ elsewhere, messagesElsewhere: 3 });
    for (const command of ["fork", "export"]) {
      const said = await run([command, sessionId], { home });
      expect(said.stderr).toContain(
        `3 messages on other branches: holdfast show ${sessionId.slice(0, 8)} --leaf ${leaf}\n`,
      );
      expect(said.stderr).toContain("1 line of the transcript is not an entry");
      const answer = (await runJson([command, sessionId], { home })).json;
      expect(answer).toMatchObject({ elsewhere });
    }
    const page = await run(["export", sessionId, "--format", "html"], { home });
    expect(page.stdout).toContain("Left out: 3 messages on other branches; 2 messages of other agents");
  });

  test("--context gives only what a resume gives the model", async () => {
    const { home, session } = homeWithSession();
    const { json } = await runJson(["show", session.sessionId, "--context"], { home });
    const texts = json.entries.map(({ subtype, message }) => subtype ?? message?.content);
    expect(texts.slice(0, 2)).toEqual([
      "compact_boundary",
      "The user asked why the parser fails; it is given null.",
    ]);
    expect(JSON.stringify(texts)).not.toContain("Why does the parser fail");
    expect(JSON.stringify(texts)).toContain("The caller passes null.");
  });

  test("filters by type, role, tools, system and time, and limits what is left", async () => {
    const { home, session } = homeWithSession();
    const entries = async (...args: string[]): Promise<SampleEntry[]> =>
      (await runJson(["show", session.sessionId, ...args], { home })).json.entries;
    expect(new Set((await entries("--type", "system")).map(({ type }) => type))).toEqual(new Set(["system"]));
    expect(new Set((await entries("--role", "assistant")).map(({ type }) => type))).toEqual(
      new Set(["assistant"]),
    );
    const said = await entries("--no-tools", "--no-system");
    expect(JSON.stringify(said)).not.toMatch(/tool_use"|tool_result|"system"/);
    expect(await entries("--no-tools", "--no-system", "--limit", "2")).toEqual(said.slice(-2));
    expect(await entries("--limit", "3")).toEqual((await entries()).slice(-3));
    expect(await entries("--until", "2026-03-03")).toEqual([]);
    expect(await entries("--since", "2026-03-04T05:06:08Z", "--until", "2026-03-04T05:06:08Z")).toHaveLength(
      1,
    );
  });

  test("--leaf shows another branch, and the main one says that there is one", async () => {
    const home = testHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    const first = builder.prompt("First");
    builder.reply("Left");
    const left = builder.leaf ?? "";
    builder.continueFrom(first.uuid ?? null);
    builder.reply("Right");
    const { sessionId } = builder.write(home.configDir);
    const main = await run(["show", sessionId], { home });
    expect(main.stdout).toContain("Right");
    expect(main.stdout).not.toContain("Left");
    expect(main.stderr).toContain("1 message on other branches");
    const branch = await run(["show", sessionId, "--leaf", left], { home });
    expect(branch.stdout).toContain("Left");
    expect(await run(["show", sessionId, "--leaf", "nope"], { home })).toMatchObject({ code: 3 });
  });

  test("--raw prints the file byte for byte, what is no entry, too", async () => {
    const { home, session } = homeWithSession();
    const bytes = fs.readFileSync(session.path, "utf8");
    fs.appendFileSync(session.path, '\u0000\u0000\u0000\n{"type":"mode","mode":"x", "odd":  1.0}\n{"torn');
    const raw = await run(["show", session.sessionId, "--raw"], { home });
    expect(raw.stdout).toBe(fs.readFileSync(session.path, "utf8"));
    expect(raw.stderr).toBe("");
    const users = await run(["show", session.sessionId, "--raw", "--no-system"], { home });
    expect(
      users.stdout
        .trimEnd()
        .split("\n")
        .every((line) => bytes.includes(line)),
    ).toBe(true);
    expect(users.stderr).toMatch(/2 lines .* left out:\n {2}byte [\d,]+, 3 bytes: zero bytes/);
    const { json } = await runJson(["show", session.sessionId, "--raw"], { home });
    expect(json.entries.at(-1)).toEqual({ type: "mode", mode: "x", odd: 1 });
    expect(json.rejections.map(({ offset, reason }) => ({ offset, reason }))).toEqual([
      { offset: Buffer.byteLength(bytes), reason: "nul-bytes" },
      { offset: fs.statSync(session.path).size - 6, reason: "torn" },
    ]);
    expect((await run(["show", session.sessionId, "--raw", "--limit", "1"], { home })).stdout).toContain(
      "odd",
    );
  });

  test("reports broken lines with their offset and shows all the rest", async () => {
    const { home, session } = homeWithSession();
    const size = fs.statSync(session.path).size;
    fs.appendFileSync(session.path, '{"type":"user","message":{"content":"cut o');
    const { code, stdout, stderr } = await run(["show", session.sessionId], { home });
    expect(code).toBe(0);
    expect(stdout).toContain("❯ Then fix it");
    expect(stderr).toContain(`byte ${size.toLocaleString("en-US")}, 42 bytes: torn`);
  });

  test("shows a line of 2 MB without filling the screen or the memory", async () => {
    const home = testHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    builder.prompt("Read it");
    builder.callTools({ name: "Read", input: { file_path: "big.txt" }, result: "x".repeat(2_000_000) });
    const { sessionId } = builder.write(home.configDir);
    const { code, stdout } = await run(["show", sessionId], { home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/● Read {2}big.txt {2}✓ 2.0 MB\n/);
    expect(stdout.length).toBeLessThan(1000);
  });

  test("keeps every line inside 40 columns", async () => {
    const { home, session } = homeWithSession();
    const { stdout } = await run(["show", session.sessionId], { home, env: { COLUMNS: "40" } });
    expect(stdout.split("\n").filter((line) => displayWidth(line) > 40)).toEqual([]);
  });

  test("lets no escape through, in text or JSON", async () => {
    const home = testHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    const nasty = "a\u001b]52;c;ZXZpbA==\u0007b\u009b2Jc\u202ed\u200be";
    builder.prompt(nasty);
    const { sessionId } = builder.write(home.configDir);
    expect((await run(["show", sessionId], { home })).stdout).toContain("❯ abcde\n");
    const { stdout } = await run(["show", sessionId, "--json"], { home });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/);
    expect((JSON.parse(stdout) as Answer).entries[0]?.message?.content).toBe(nasty);
  });

  test("shows a long session whole", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd, rounds: 300 }).write(home.configDir);
    const { stdout } = await run(["show", sessionId], { home });
    expect(stdout.match(/── compacted/g)).toHaveLength(300);
    expect(stdout).toContain("❯ Why does the parser fail in round 1?\n");
    expect(stdout).toContain("❯ Why does the parser fail in round 300?\n");
  });
});
