import { execFileSync } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import path from "node:path";
import { expect, test } from "vitest";
import {
  holdfast,
  startHoldfast,
  testHome,
  waitFor,
  type StartedHoldfast,
  type TestHome,
} from "../support/index.ts";

/** The address that a dashboard printed first. */
async function addressOf(server: StartedHoldfast): Promise<URL> {
  return new URL(await waitFor(() => /^https?:\S+$/m.exec(server.stdout())?.[0]));
}

function serve(home: TestHome, ...args: string[]): StartedHoldfast {
  return startHoldfast(["up", "--no-open", ...args], { home });
}

test("up serves until Ctrl+C and ends with 0; its tasks go on, and the next one shows them", async () => {
  const home = testHome();
  const first = serve(home);
  const url = await addressOf(first);
  expect(url.hostname).toBe("127.0.0.1");
  const ask = (route: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(route, url), {
      ...init,
      headers: {
        Authorization: `Bearer ${url.searchParams.get("token")}`,
        "Content-Type": "application/json",
        "X-Holdfast": "1",
      },
    });
  const body = JSON.stringify({ kind: "command", command: "read -r x; exit 3", cwd: home.cwd, stdin: true });
  const started = (await (await ask("/api/start", { method: "POST", body })).json()) as {
    task: { id: string };
  };
  // A reader that is still there does not hold the end up.
  const events = await ask("/api/events");
  expect(await first.end("SIGINT")).toBe(0);
  await events.body!.cancel().catch(() => {});
  expect(first.stderr()).toContain("Ctrl+C ends the dashboard; your tasks go on.");
  const listed = await holdfast(["ps", "--json"], { home });
  expect(JSON.parse(listed.stdout)).toMatchObject({ tasks: [{ id: started.task.id, status: "running" }] });
  await holdfast(["send", started.task.id, "x\n"], { home });
  expect((await holdfast(["wait", started.task.id], { home })).code).toBe(3);
});

test("two dashboards of one home run at once, and one that is killed leaves nothing in the way", async () => {
  const home = testHome();
  const [first, second] = [serve(home), serve(home)];
  const [one, other] = [await addressOf(first), await addressOf(second)];
  expect(one.port).not.toBe(other.port);
  expect(await second.end("SIGKILL")).toBe(null);
  const opened = await holdfast(["open", "--json"], { home });
  expect(JSON.parse(opened.stdout)).toMatchObject({ isOpened: false });
  expect(new URL((JSON.parse(opened.stdout) as { url: string }).url).port).toBe(one.port);
  const third = serve(home, "--port", other.port);
  expect((await addressOf(third)).port).toBe(other.port);
  const refused = await holdfast(["up", "--no-open", "--port", one.port], { home });
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining("name another one with --port"),
  ]);
  expect(await first.end("SIGTERM")).toBe(0);
  expect(await third.end("SIGINT")).toBe(0);
});

test("open leads to a task, by a code that works once; without a dashboard it says how to start one", async () => {
  const home = testHome();
  const none = await holdfast(["open"], { home });
  expect([none.code, none.stderr]).toEqual([3, expect.stringContaining("Try: holdfast up")]);
  const server = serve(home);
  const { origin } = await addressOf(server);
  const task = (await holdfast(["run", "--name", "build", "true"], { home })).stdout.trim();
  const { stdout } = await holdfast(["open", "build"], { home });
  const address = new URL(stdout.trim());
  expect([address.origin, address.pathname]).toEqual([origin, `/tasks/${task}`]);
  const first = await fetch(address);
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining(`0;url=/tasks/${task}"`)]);
  expect((await fetch(address)).status).toBe(401);
  expect((await holdfast(["open", "nothing"], { home })).code).toBe(3);
  expect(await server.end("SIGINT")).toBe(0);
});

test("beyond this machine it serves only with a certificate and a token of the user's, and says so loudly", async () => {
  const home = testHome();
  const at = (name: string): string => path.join(home.cwd, name);
  for (const args of [
    ["--host", "0.0.0.0"],
    ["--host", "192.0.2.1", "--tls-cert", "c", "--tls-key", "k"],
    ["--token-file", "t"],
  ])
    expect((await holdfast(["up", "--no-open", ...args], { home })).code).toBe(2);
  const subject = ["-subj", "/CN=box.example", "-addext", "subjectAltName=DNS:box.example"];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ed25519",
      "-nodes",
      "-days",
      "1",
      "-keyout",
      at("k.pem"),
      "-out",
      at("c.pem"),
      ...subject,
    ],
    { stdio: "ignore" },
  );
  fs.writeFileSync(at("t"), "too-short\n");
  const tls = [
    "--host",
    "0.0.0.0",
    "--name",
    "box.example",
    "--tls-cert",
    "c.pem",
    "--tls-key",
    "k.pem",
    "--token-file",
    "t",
  ];
  expect((await holdfast(["up", "--no-open", ...tls], { home })).stderr).toContain("24 or more");
  fs.writeFileSync(at("t"), "a-token-that-is-long-enough\n");
  const server = serve(home, ...tls);
  const url = await addressOf(server);
  expect([url.protocol, url.hostname]).toEqual(["https:", "box.example"]);
  await waitFor(() => server.stderr().includes("may read your sessions and run commands as you"));
  const status = await new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: url.port,
      path: "/api/about",
      servername: "box.example",
      ca: fs.readFileSync(at("c.pem")),
      headers: { Host: url.host, Authorization: "Bearer a-token-that-is-long-enough" },
      agent: false,
    };
    https.get(options, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
  expect(status).toBe(200);
  expect(await server.end("SIGINT")).toBe(0);
});
