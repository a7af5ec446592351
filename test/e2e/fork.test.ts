import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { testHome, TranscriptBuilder } from "../support/index.ts";
import { hasTmux, openCommand } from "./chat-terminal.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast fork", () => {
  test("prints the new session's id, and leaves the old one as it is", async () => {
    const { home, session } = homeWithSession();
    const bytes = fs.readFileSync(session.path);
    const { code, stdout, stderr } = await run(["fork", session.sessionId, "--title", "Plan B"], { home });
    expect(code).toBe(0);
    expect(stderr).toContain(`claude --resume ${stdout.trim()}`);
    expect(fs.readFileSync(session.path)).toEqual(bytes);
    const { sessions } = (await runJson(["sessions"], { home })).json;
    expect(sessions.find(({ sessionId }) => sessionId === stdout.trim())?.title).toBe("Plan B");
  });

  test("--at takes the conversation up to a message", async () => {
    const { home, session, uuids } = homeWithSession();
    const { code, json } = await runJson(["fork", session.sessionId, "--at", uuids[2] ?? ""], { home });
    expect(code).toBe(0);
    expect(json).toEqual({
      schemaVersion: 1,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      project: session.projectKey,
      path: expect.stringContaining(session.projectKey) as string,
      entries: 3,
      forkedFrom: session.sessionId,
      elsewhere: expect.objectContaining({ repeated: 0, rejected: 0 }) as object,
    });
    expect(await run(["fork", session.sessionId, "--at", "nope"], { home })).toMatchObject({
      code: 3,
      stdout: "",
    });
  });

  test.skipIf(!hasTmux)(
    "says that it works when a conversation is large, then how to go on, below the id",
    async () => {
      const home = testHome();
      const builder = new TranscriptBuilder({ cwd: home.cwd, seed: "large" });
      builder.prompt("Hello");
      const { path: file, sessionId } = builder.write(home.configDir);
      appendPrompts(file, 300_000);
      await using terminal = await openCommand(home, ["fork", sessionId]);
      await terminal.shows(/^Copying the conversation… \d+s$/m);
      expect(await terminal.ended()).toBe(0);
      expect(await terminal.history()).toMatch(
        /^[0-9a-f-]{36}\nForked 300,001 entries\. Continue it:\s+claude --resume [0-9a-f-]{36}$/m,
      );
    },
  );
});

// Enough that copying takes seconds on any machine.
function appendPrompts(file: string, count: number): void {
  const first = JSON.parse(fs.readFileSync(file, "utf8").trim()) as { uuid: string };
  const envelope = { ...first, message: { role: "user", content: "x" } };
  const lines: string[] = [];
  let parentUuid = first.uuid;
  for (let n = 0; n < count; n++) {
    const uuid = `aaaa0000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    lines.push(`${JSON.stringify({ ...envelope, uuid, parentUuid })}\n`);
    parentUuid = uuid;
  }
  fs.appendFileSync(file, lines.join(""));
}
