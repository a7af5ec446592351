import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { homeWithEdits, sampleSession, testHome, TranscriptBuilder } from "../../../../test/support/index.ts";
import { dashboardClient } from "../../../../test/support/dashboard-client.ts";

describe("routes of sessions", () => {
  test("list, filter and page", async () => {
    const home = testHome();
    for (let count = 0; count < 3; count++)
      sampleSession({ seed: `s${count}`, cwd: home.cwd }).write(home.configDir);
    await using client = await dashboardClient(home);
    const { status, body } = await client.get("/api/sessions?limit=2&from=1");
    expect(status).toBe(200);
    expect(body).toMatchObject({ from: 1, total: 3, sessions: [{ title: "Fix the parser", tag: null }, {}] });
    expect((await client.get("/api/sessions?q=nothing")).body.total).toBe(0);
    expect((await client.get("/api/projects")).body.projects).toMatchObject([{ sessions: 3 }]);
    expect(await client.get("/api/sessions?limit=-1")).toMatchObject({ status: 400 });
    expect(await client.get("/api/sessions?unknown=1")).toMatchObject({ status: 400 });
  });

  test("show a conversation: header, rows, end, digest, find, entry", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    const { sessionId } = session.write(home.configDir);
    await using client = await dashboardClient(home);
    const at = `/api/sessions/${sessionId}`;
    const header = (await client.get(at)).body;
    const { rows } = (await client.get(`${at}/rows?from=0&limit=3`)).body;
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ row: 0, items: [{ kind: "prompt" }] });
    const around = (await client.get(`${at}/rows?around=${rows[2].uuid}&limit=1`)).body;
    expect(around.rows[0].uuid).toBe(rows[2].uuid);
    const end = (await client.get(`${at}/end?limit=1`)).body;
    const last = (await client.get(`${at}/rows?from=${header.rows - 1}`)).body;
    expect(end.rows[0].uuid).toBe(last.rows[0].uuid);
    expect((await client.get(`${at}/digest`)).body.total).toBe(header.rows);
    const found = await client.fetch(`${at}/find?q=parser`);
    expect(found.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
    const lines = (await found.text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object).at(-1)).toMatchObject({ kind: "done", count: 2 });
    const { entry } = (await client.get(`${at}/entry/${rows[0].uuid}`)).body;
    expect(entry).toEqual(session.entries[0]);
    expect(await client.get(`${at}/entry/none`)).toMatchObject({ status: 404 });
    expect(await client.get(`${at}/find?q=(&isRegex=true`)).toMatchObject({ status: 400 });
  });

  test("give long texts and images by the addresses that rows name", async () => {
    const home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd });
    const long = "<script>alert(1)</script>".repeat(2000);
    const data = Buffer.from("a picture").toString("base64");
    session.prompt("").message!.content = [
      { type: "text", text: long },
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
    ];
    const { sessionId } = session.write(home.configDir);
    await using client = await dashboardClient(home);
    const [row] = (await client.get(`/api/sessions/${sessionId}/rows`)).body.rows;
    const [item] = row.items;
    const text = await client.fetch(item.said.url as string);
    expect(await text.text()).toBe(long);
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text.headers.get("x-content-type-options")).toBe("nosniff");
    const image = await client.fetch(item.images[0].url as string);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(image.headers.get("content-security-policy")).toContain("sandbox");
    expect(await image.text()).toBe("a picture");
    for (const part of ["9", "x", "-1"])
      expect((await client.fetch(`/api/sessions/${sessionId}/image/${row.uuid}/${part}`)).status).toBe(
        part === "9" ? 404 : 400,
      );
  });

  test.each(["..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "..", "%00", "x%2f..%2fx"])(
    "take %s for no session",
    async (id) => {
      const home = testHome();
      fs.mkdirSync(path.join(home.configDir, "projects"), { recursive: true });
      await using client = await dashboardClient(home);
      for (const rest of ["", "/rows", "/end", "/export", "/text/a/0"])
        expect([400, 404]).toContain((await client.fetch(`/api/sessions/${id}${rest}`)).status);
      for (const project of ["..", "%2fetc", "a%2f..%2fb"])
        expect((await client.fetch(`/api/sessions/x?project=${project}`)).status).toBe(404);
    },
  );

  test("change a session: fork, rename, tag, trash, restore", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd }).write(home.configDir);
    await using client = await dashboardClient(home);
    const at = `/api/sessions/${sessionId}`;
    const forked = (await client.post(`${at}/fork`, { title: "Plan B" })).body;
    expect(forked.session.title).toBe("Plan B");
    expect(forked.command).toBe(`claude --resume ${forked.session.sessionId}`);
    expect((await client.post(`${at}/rename`, { title: "Plan A" })).body.session.title).toBe("Plan A");
    expect((await client.post(`${at}/tag`, { tag: "x" })).body.session.tag).toBe("x");
    expect((await client.post(`${at}/trash`)).body.trashed.sessionId).toBe(sessionId);
    expect(await client.get(at)).toMatchObject({
      status: 404,
      body: { error: { code: "session_not_found" } },
    });
    expect((await client.get("/api/trash")).body.trash).toMatchObject([{ sessionId, title: "Plan A" }]);
    expect((await client.post(`${at}/restore`, { from: "trash" })).body.session.title).toBe("Plan A");
    expect(await client.post(`${at}/restore`, { from: "trash" })).toMatchObject({ status: 404 });
    expect(await client.post(`${at}/rename`, { title: "" })).toMatchObject({ status: 400 });
  });

  test("show what belongs to a session, its difference, and undo it", async () => {
    const { home, sessionId, edited } = homeWithEdits();
    await using client = await dashboardClient(home);
    const at = `/api/sessions/${sessionId}`;
    expect((await client.get(`${at}/files`)).body.turns).toMatchObject([{ files: [{}, {}] }]);
    const { files } = (await client.get(`${at}/diff`)).body;
    expect(files).toMatchObject([
      { path: edited, kind: "changed", added: 1, removed: 1 },
      { kind: "changed", added: 1, removed: 0 },
    ]);
    expect((await client.get(`${at}/agents`)).body.agents).toEqual([]);
    expect((await client.get(`${at}/todos`)).body).toEqual({ lists: [], problems: [] });
    expect((await client.get(`${at}/usage`)).body).toMatchObject({ unpricedMessages: 0 });
    expect((await client.post(`${at}/undo`, { dryRun: true })).body.keptIn).toBeNull();
    expect(fs.readFileSync(edited, "utf8")).toBe("new\n");
    await client.post(`${at}/undo`, { dryRun: false });
    expect(fs.readFileSync(edited, "utf8")).toBe("old\n");
    const file = await client.fetch(`${at}/export?format=html`);
    expect(file.headers.get("content-disposition")).toContain(`session-${sessionId}.html`);
    expect(await file.text()).toContain("Change it");
    expect((await client.fetch("/api/sessions/none/export")).status).toBe(404);
  });
});
