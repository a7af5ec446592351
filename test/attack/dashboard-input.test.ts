import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { listen } from "../../src/doors/server/listen.ts";
import { dashboardWorld, type DashboardWorld } from "../support/dashboard-world.ts";
import { waitFor } from "../support/index.ts";

const tokenOf = ({ dashboard }: DashboardWorld): string => new URL(dashboard.url).searchParams.get("token")!;

/** A connection on which anything can be written, and everything that came back. */
function connect({ dashboard }: DashboardWorld) {
  const { hostname, port } = new URL(dashboard.origin);
  const socket = net.connect(Number(port), hostname);
  const heard = { text: "", isClosed: false };
  socket.on("data", (piece) => (heard.text += piece.toString()));
  socket.on("close", () => (heard.isClosed = true)).on("error", () => {});
  return { socket, heard };
}

function head(world: DashboardWorld, lines: readonly string[]): string {
  const { host } = new URL(world.dashboard.origin);
  const own = [
    `Host: ${host}`,
    `Authorization: Bearer ${tokenOf(world)}`,
    "Content-Type: application/json",
    "X-Holdfast: 1",
  ];
  return `POST /api/start HTTP/1.1\r\n${[...own, ...lines].join("\r\n")}\r\n\r\n`;
}

async function stillAnswers(world: DashboardWorld): Promise<void> {
  expect(await world.ask("GET /api/about")).toMatchObject({ version: "1.2.3" });
}

test("names in a path and in a query never lead elsewhere", async () => {
  await using world = await dashboardWorld();
  fs.mkdirSync(world.home.home, { recursive: true });
  fs.writeFileSync(path.join(world.home.home, "secret.json"), '{"schemaVersion":1,"id":"secret"}');
  const names = [
    "..%2f..%2fsecret",
    "..%5c..%5csecret",
    "%2e%2e",
    "a%00b",
    "a%2fb",
    "-rf",
    ".",
    "%ff",
    "x".repeat(300),
    "@last",
  ];
  for (const name of names)
    for (const route of ["", "/output", "/output/file", "/processes", "/diff"]) {
      const { status } = await world.request(`/api/tasks/${name}${route}`);
      expect([name, route, status >= 400 && status < 500]).toEqual([name, route, true]);
    }
  for (const name of names)
    for (const route of ["", "/rows", "/export", "/entry/x", `/text/${name}/0`]) {
      const { status } = await world.request(`/api/sessions/${name}${route}`);
      expect([name, route, status >= 400 && status < 500]).toEqual([name, route, true]);
    }
  for (const page of [
    "/../package.json",
    "/assets/..%2f..%2fpackage.json",
    "/assets/%2e%2e/x.js",
    "/.env.json",
    "/assets/.hidden.js",
  ]) {
    const response = await world.request(page);
    const text = await response.text();
    expect([page, text.includes('"holdfast"'), text.includes("devDependencies")]).toEqual([
      page,
      false,
      false,
    ]);
  }
  await stillAnswers(world);
});

test("values that are none are refused with where they stand", async () => {
  await using world = await dashboardWorld();
  const bad = [
    "limit=-1",
    "limit=1e9",
    "limit=99999999999999999999",
    "from=x",
    "limit=1&limit=2",
    "unknown=1",
    "kind=other",
  ];
  for (const query of bad) {
    const response = await world.request(`/api/tasks?${query}`);
    expect([query, response.status]).toEqual([query, 400]);
    const { error } = (await response.json()) as { error: { code: string; problems: string[] } };
    expect(error.code).toBe("invalid_request");
    expect(error.problems.length).toBeGreaterThan(0);
  }
  const bodies: unknown[] = [
    null,
    [],
    "x",
    1,
    {},
    { kind: "command" },
    { kind: "command", command: "x", cwd: "/", extra: 1 },
    { kind: "__proto__" },
  ];
  for (const body of bodies) {
    const response = await world.request("/api/start", { body });
    expect([body, response.status]).toEqual([body, 400]);
  }
  const { runtime, home } = world;
  const task = await runtime.tasks.start({ command: "echo hello", cwd: home.cwd });
  await runtime.tasks.wait(task);
  const file = `/api/tasks/${task.record.id}/output/file`;
  for (const Range of ["bytes=99-", "bytes=5-2", "bytes=-0"]) {
    const { status } = await world.request(file, { headers: { Range } });
    expect([Range, status]).toEqual([Range, 416]);
  }
  for (const Range of [
    "bytes=0-999999999999999",
    "lines=1-2",
    "bytes=a-b",
    "bytes=0-1,3-4",
    `bytes=${"9".repeat(400)}-`,
  ])
    expect(await (await world.request(file, { headers: { Range } })).text()).toBe("hello\n");
  await stillAnswers(world);
});

test("a body of 100 MB, and one that never ends, are refused before they are read", async () => {
  await using world = await dashboardWorld();
  const large = connect(world);
  large.socket.write(head(world, ["Content-Length: 104857600"]));
  await waitFor(() => large.heard.text.includes(" 413 "));
  const endless = connect(world);
  endless.socket.write(head(world, ["Transfer-Encoding: chunked"]));
  const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
  const pump = (): void => {
    while (!endless.heard.isClosed && endless.socket.write(chunk)) if (endless.heard.text !== "") return;
  };
  endless.socket.on("drain", pump);
  pump();
  await waitFor(() => endless.heard.text.includes(" 413 "));
  // The rest is not waited for.
  await waitFor(() => endless.heard.isClosed && large.heard.isClosed);
  expect(large.heard.text).toContain('"code":"too_large"');
  for (const { socket } of [large, endless]) socket.destroy();
  await stillAnswers(world);
});

test("who sends headers or a body too slowly is given up", async () => {
  const sent = { text: "" };
  const listening = await listen(
    () => ({ fetch: async (request: Request) => new Response(await request.text()) }),
    {
      host: "127.0.0.1",
      port: 0,
      tls: undefined,
      patience: { headersMs: 200, requestMs: 300 },
    },
  );
  const slow = net.connect(listening.port, "127.0.0.1");
  let isClosed = false;
  slow
    .on("data", (piece) => (sent.text += piece.toString()))
    .on("close", () => (isClosed = true))
    .on("error", () => {});
  slow.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab");
  const headers = net.connect(listening.port, "127.0.0.1");
  let isHeadersClosed = false;
  headers
    .on("close", () => (isHeadersClosed = true))
    .on("error", () => {})
    .resume();
  headers.write("GET / HTTP/1.1\r\nHost: x\r\nX-");
  await waitFor(() => isClosed && isHeadersClosed);
  expect(sent.text).toMatch(/^HTTP\/1.1 408 /);
  await listening.close();
});

test("a thousand connections are refused, and those that were there are served", async () => {
  await using world = await dashboardWorld();
  const leaving = new AbortController();
  const events = world.events({ signal: leaving.signal });
  expect((await events.next()).value).toMatchObject({ name: "hello" });
  const { host } = new URL(world.dashboard.origin);
  const many = Array.from({ length: 1000 }, () => connect(world));
  await waitFor(() => many.every(({ socket }) => !socket.connecting));
  const late = connect(world);
  late.socket.write(`GET /api/about HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await waitFor(() => late.heard.text.includes(" 429 "));
  expect(late.heard.text).toContain("too many connections");
  // The stream that was open goes on.
  await world.runtime.tasks.start({ command: "true", cwd: world.home.cwd });
  for (;;) {
    const { value } = await events.next();
    if (value?.name === "task") break;
  }
  for (const { socket } of [...many, late]) socket.destroy();
  leaving.abort();
  await waitFor(async () => (await world.request("/api/about").catch(() => undefined))?.status === 200);
});

test("a task that writes as fast as it can, watched by a reader that does not read, holds up nobody", async () => {
  await using world = await dashboardWorld();
  const leaving = new AbortController();
  const response = await world.request("/api/events", { signal: leaving.signal });
  const reader = response.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  const stream = /"stream":"([^"]+)"/.exec(first)![1]!;
  const command = "yes 'as fast as the disk takes it' | head -c 400000000";
  const task = await world.runtime.tasks.start({ command, cwd: world.home.cwd });
  const outputs = [{ task: task.record.id, stream: "stdout", from: 0 }];
  await world.ask("POST /api/events/{stream}/watch", {
    path: { stream },
    body: { outputs, conversations: [] },
  });
  const before = process.memoryUsage().rss;
  const answers: number[] = [];
  while (!(await world.runtime.tasks.wait(task, { timeoutMs: 1 }))) {
    const begun = performance.now();
    await world.ask("GET /api/tasks/{id}/output", { path: { id: task.record.id } });
    answers.push(performance.now() - begun);
  }
  // The output is larger than this by far: what was not taken is not kept.
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  expect(answers.toSorted((a, b) => a - b)[Math.floor(answers.length / 2)]).toBeLessThan(500);
  leaving.abort();
  await reader.cancel().catch(() => {});
});

test("what a task printed is data: its file can neither run nor load anything", async () => {
  await using world = await dashboardWorld();
  const command = "printf '<script>alert(1)</script>\\033]0;x\\007\\342\\200\\256'";
  const task = await world.runtime.tasks.start({ command, cwd: world.home.cwd, name: "<img onerror=x>" });
  await world.runtime.tasks.wait(task);
  const response = await world.request(`/api/tasks/${task.record.id}/output/file`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
  await response.text();
});
