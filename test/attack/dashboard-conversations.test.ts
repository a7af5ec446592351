import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { dashboardClient } from "../support/dashboard-client.ts";
import { sampleSession, testHome, TranscriptBuilder } from "../support/index.ts";

// What transcripts hold was written by models, tools and strangers; all of it is data for the dashboard.

const hostile = [
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "[click](javascript:alert(1)) ![x](http://elsewhere.example/x.png)",
  "\u001b[2J\u001b]0;owned\u0007\u202etxt.exe\u2066\u200b",
  "</script><style>*{display:none}</style>",
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
  "\ud800 half a character",
];

describe("a hostile transcript", () => {
  test("comes as JSON and plain text, byte for byte, and nothing of it is an address", async () => {
    const home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd });
    for (const text of hostile) {
      session.prompt(text);
      session.reply(text);
      session.callTools({ name: text, input: { command: text, [text]: text }, result: text });
    }
    const { sessionId } = session.write(home.configDir);
    await using client = await dashboardClient(home);
    const at = `/api/sessions/${sessionId}`;
    const response = await client.fetch(`${at}/rows`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const { rows } = (await response.json()) as { rows: { items: { said?: { text: string } }[] }[] };
    expect(rows[0]?.items[0]?.said?.text).toBe(hostile[0]);
    for (const path of ["", "/digest", "/end", "/usage", "/todos", "/files", "/agents"])
      expect((await client.fetch(`${at}${path}`)).status).toBe(200);
    const found = await (await client.fetch(`${at}/find?q=${encodeURIComponent("<script>")}`)).text();
    expect(found).toContain('"kind":"done"');
  });

  test("is cut for a page where a line is 2 MB, or nested deeper than JSON can say", async () => {
    const home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd });
    session.prompt("x".repeat(2_000_000));
    session.callTools({
      name: "Bash",
      input: { command: "y".repeat(2_000_000) },
      result: "z".repeat(2_000_000),
    });
    const { sessionId, path: file } = session.write(home.configDir);
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const use = session.entries.at(-2)!;
    const line = JSON.stringify({ ...use, uuid: session.uuid(), parentUuid: session.leaf }).replace(
      /"input":\{[^}]*\}/,
      `"input":${deep}`,
    );
    fs.appendFileSync(file, `${line}\n{"type":"torn\n\0\0\0\n`);
    await using client = await dashboardClient(home);
    const at = `/api/sessions/${sessionId}`;
    const text = await (await client.fetch(`${at}/rows`)).text();
    expect(text.length).toBeLessThan(300_000);
    const { rows } = JSON.parse(text) as { rows: { items: { said: { url: string; bytes: number } }[] }[] };
    expect(rows).toHaveLength(3);
    const { said } = rows[0]!.items[0]!;
    expect(said.bytes).toBe(2_000_000);
    expect((await (await client.fetch(said.url)).text()).length).toBe(2_000_000);
    expect((await client.get(at)).body.rejections).toMatchObject({ total: 2 });
  });

  test("that is deleted, replaced or archived while it is open is told as what it is now", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    const { sessionId, path: file } = session.write(home.configDir);
    await using client = await dashboardClient(home);
    const at = `/api/sessions/${sessionId}`;
    const before = (await client.get(at)).body;
    expect((await client.post(`${at}/archive`)).body.session.archived).toBe(true);
    expect((await client.get(`${at}/rows`)).body.total).toBe(before.rows);
    expect(await client.post(`${at}/rename`, { title: "x" })).toMatchObject({
      status: 409,
      body: { error: { code: "session_archived" } },
    });
    await client.post(`${at}/restore`, { from: "archive" });
    fs.writeFileSync(file, "");
    expect((await client.get(`${at}/rows`)).body).toMatchObject({ total: 0, rows: [] });
    fs.rmSync(file);
    for (const path of ["", "/rows", "/end", "/digest", "/entry/x"])
      expect(await client.get(`${at}${path}`)).toMatchObject({
        status: 404,
        body: { error: { code: "session_not_found" } },
      });
  });

  test("that a search never ends in holds up nobody for long, and no other session", async () => {
    const home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd });
    session.prompt(`${"a".repeat(60)}!`);
    const { sessionId } = session.write(home.configDir);
    await using client = await dashboardClient(home);
    const q = encodeURIComponent("(a+)+$");
    const [found, about] = await Promise.all([
      client.get(`/api/sessions/${sessionId}/find?q=${q}&isRegex=true`),
      client.get("/api/about"),
    ]);
    expect(found).toMatchObject({ status: 400, body: { error: { code: "expression_invalid" } } });
    expect(about.status).toBe(200);
    expect((await client.get(`/api/sessions/${sessionId}`)).status).toBe(200);
  });
});
