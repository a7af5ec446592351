import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome, TranscriptBuilder, type TestHome } from "../../../test/support/index.ts";
import { configPaths } from "../../format/paths.ts";
import { openSessionStore } from "../../store/index.ts";
import { examineTranscripts } from "./examine-transcripts.ts";

function damagedHome(): { home: TestHome; session: TranscriptBuilder; file: string } {
  const home = testHome();
  const session = sampleSession({ cwd: home.cwd });
  const { path: file } = session.write(home.configDir);
  fs.appendFileSync(file, "nonsense\n");
  return { home, session, file };
}

describe("examineTranscripts()", () => {
  test("finds defects in sessions and in their sub-agents, in both layouts", async () => {
    const { home, session, file } = damagedHome();
    const [agent] = session.agents;
    const nested = configPaths(home.configDir).nestedAgentPath({
      projectKey: path.basename(path.dirname(file)),
      sessionId: session.sessionId,
      agentId: agent!.agentId!,
    });
    fs.appendFileSync(nested, '{"torn');
    const flat = path.join(path.dirname(file), "agent-0123abcd.jsonl");
    fs.writeFileSync(flat, `${agent!.jsonl()}\0\0\n`);
    const { damaged, examined, unexamined } = await examineTranscripts(home);
    expect({ examined, unexamined }).toEqual({ examined: 3, unexamined: 0 });
    const found = Object.fromEntries(
      damaged.map((each) => [each.path, each.defects.map(({ kind }) => kind)]),
    );
    expect(found).toEqual({ [file]: ["foreign-line"], [nested]: ["torn-line"], [flat]: ["nul-bytes"] });
    expect(new Set(damaged.map(({ sessionId }) => sessionId))).toEqual(new Set([session.sessionId]));
  });

  test("looks only at the lines of the client's own helpers, whose parents are elsewhere", async () => {
    const { home, file } = damagedHome();
    fs.rmSync(path.dirname(file), { recursive: true });
    const helper = new TranscriptBuilder({ cwd: home.cwd, agentId: "acompact-01abcd" });
    helper.continueFrom(helper.uuid());
    helper.prompt("one");
    helper.continueFrom(helper.uuid());
    helper.prompt("two");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(path.join(path.dirname(file), "agent-acompact-01abcd.jsonl"), `${helper.jsonl()}[]\n`);
    const { damaged } = await examineTranscripts(home);
    expect(damaged.map(({ defects }) => defects.map(({ kind }) => kind))).toEqual([["foreign-line"]]);
  });

  test("stops when the time is up, says so, and goes on where it stopped", async () => {
    const { home } = damagedHome();
    const first = await examineTranscripts({ ...home, timeMsMax: -1 });
    expect(first).toEqual({ damaged: [], examined: 0, unexamined: 2, unreadable: [] });
    const whole = await examineTranscripts({ ...home, timeMsMax: -1, isFull: true });
    expect(whole).toMatchObject({
      examined: 2,
      unexamined: 0,
      damaged: [{ defects: [{ kind: "foreign-line" }] }],
    });
    // What is known need not be looked at again.
    expect(await examineTranscripts({ ...home, timeMsMax: -1 })).toEqual(whole);
  });

  test("looks again at a file that changed, and takes no half-written turn of an open session for damage", async () => {
    const { home, session, file } = damagedHome();
    await examineTranscripts(home);
    fs.writeFileSync(file, session.jsonl());
    expect((await examineTranscripts(home)).damaged).toEqual([]);
    session.prompt("list the files");
    session.callTools({ name: "Bash", input: { command: "ls" }, result: "a" });
    session.entries.pop();
    fs.writeFileSync(file, `${session.jsonl()}{"type":"user","mess`);
    fs.mkdirSync(path.join(home.configDir, "sessions"));
    const owner = path.join(home.configDir, "sessions", `${process.pid}.json`);
    fs.writeFileSync(owner, JSON.stringify({ sessionId: session.sessionId }));
    expect((await examineTranscripts(home)).damaged).toEqual([]);
    fs.rmSync(owner);
    const [left] = (await examineTranscripts(home)).damaged;
    expect(left?.defects.map(({ kind }) => kind)).toEqual(["torn-line"]);
  });

  test("knows a transcript that a process of ours writes as open", async () => {
    const { home, session, file } = damagedHome();
    const store = openSessionStore(home);
    {
      await using _writer = await store.openWriter({ cwd: home.cwd, sessionId: session.sessionId });
      expect((await examineTranscripts(home)).damaged).toMatchObject([{ path: file, ownerPid: process.pid }]);
    }
    expect((await examineTranscripts(home)).damaged[0]).not.toHaveProperty("ownerPid");
  });

  test("tells how far it is", async () => {
    const { home } = damagedHome();
    const seen: number[] = [];
    await examineTranscripts({
      ...home,
      onProgress: ({ doneBytes, totalBytes }) => seen.push(doneBytes / totalBytes),
    });
    expect(seen.at(-1)).toBe(1);
  });
});
