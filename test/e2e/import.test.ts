import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openRuntime } from "../../src/index.ts";
import { testHome, TranscriptBuilder, type TestHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

describe("a conversation as chat messages", () => {
  let home: TestHome;
  let sessionId = "";
  beforeEach(() => {
    home = testHome();
    const transcript = new TranscriptBuilder({ cwd: home.cwd });
    transcript.prompt("Which files?");
    transcript.callTools({ name: "Bash", input: { command: "ls" }, result: "a.ts" });
    transcript.reply("Only a.ts.");
    ({ sessionId } = transcript.write(home.configDir));
  });

  test.each(["anthropic", "ai-sdk"] as const)(
    "is written by export and read by import, in the shape %s",
    async (format) => {
      const file = path.join(home.cwd, "talk.json");
      expect(await run(["export", sessionId, "--format", format, "-o", file], { home })).toMatchObject({
        code: 0,
      });
      const messages = JSON.parse(fs.readFileSync(file, "utf8")) as { role: string }[];
      const results = format === "anthropic" ? "user" : "tool";
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", results, "assistant"]);
      const { json } = await runJson(["import", file, "--format", format, "--title", "Again"], { home });
      expect(json).toMatchObject({ messages: 4 });
      const imported = json.sessionId;
      const { stdout } = await run(["show", imported], { home });
      for (const text of ["Again", "Which files?", "Only a.ts."]) expect(stdout).toContain(text);
      const again = await run(["export", imported, "--format", format], { home });
      expect(JSON.parse(again.stdout)).toEqual(messages);
      const { json: doctor } = await runJson(["doctor"], { home });
      expect(doctor).toMatchObject({
        checks: expect.arrayContaining([
          expect.objectContaining({ name: "unanswered-tools", status: "ok" }),
        ]) as unknown,
      });
    },
  );

  test("is the same for programs", async () => {
    const { sessions } = openRuntime(home);
    const session = await sessions.find(sessionId);
    const messages = await sessions.toAnthropicMessages(session);
    const imported = await sessions.fromAnthropicMessages(messages, { cwd: home.cwd });
    expect(await sessions.toAnthropicMessages(imported)).toEqual(messages);
    const ofSdk = await sessions.toModelMessages(imported);
    const twice = await sessions.fromModelMessages(ofSdk, { cwd: home.cwd, title: "Twice" });
    expect(await sessions.toModelMessages(twice)).toEqual(ofSdk);
    expect(await sessions.summary(twice)).toMatchObject({ title: "Twice", firstPrompt: "Which files?" });
  });

  test("is read from standard input, and refused when it is none: nothing is written", async () => {
    const said = JSON.stringify([{ role: "user", content: "Hello" }]);
    expect(await run(["import", "-"], { home, input: said })).toMatchObject({ code: 0 });
    const before = await runJson(["sessions"], { home });
    const refused = async (text: string, words: string): Promise<void> => {
      const { code, stderr } = await run(["import", "-"], { home, input: text });
      expect([code, stderr]).toEqual([
        expect.toSatisfy((given) => given !== 0),
        expect.stringContaining(words),
      ]);
    };
    await refused("{}", "it is no JSON list of messages");
    await refused("[]", "nothing is said in them");
    await refused('[{"role":"user","content":"a"},{"role":"robot","content":"b"}]', "message 2 has no role");
    await refused('[{"role":"user","content":7}]', "message 1 has a");
    expect((await runJson(["sessions"], { home })).json.sessions).toEqual(before.json.sessions);
  });
});
