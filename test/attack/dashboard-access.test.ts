import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { dashboardWorld, type DashboardWorld } from "../support/dashboard-world.ts";

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Answered {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A request with exactly these headers: fetch would set its own. */
function ask(
  { dashboard }: DashboardWorld,
  target: string,
  { method = "GET", headers = {}, body }: Asked = {},
): Promise<Answered> {
  const { hostname, port, host } = new URL(dashboard.origin);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, path: target, method, headers: { Host: host, ...headers }, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

const tokenOf = ({ dashboard }: DashboardWorld): string => new URL(dashboard.url).searchParams.get("token")!;

/** Lets a browser in: its cookie. */
async function enter(world: DashboardWorld, token = tokenOf(world)): Promise<string> {
  const { status, headers } = await ask(world, `/?token=${token}`);
  expect(status).toBe(200);
  const [cookie] = headers["set-cookie"]!;
  expect(cookie).toMatch(/^holdfast-\d+=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  return cookie!.split(";")[0]!;
}

const somewhere = [
  "/",
  "/tasks/b1",
  "/assets/a.js",
  "/api/about",
  "/api/events",
  "/api/nothing",
  "/index.html",
];

test("without a token, or with a wrong one, no path says anything", async () => {
  await using world = await dashboardWorld();
  const wrong: Asked[] = [
    {},
    { headers: { Authorization: `Bearer ${"x".repeat(43)}` } },
    { headers: { Authorization: "Bearer " } },
    { headers: { Authorization: `Basic ${tokenOf(world)}` } },
    { headers: { Cookie: `holdfast-1=${tokenOf(world)}` } },
    { headers: { Cookie: `holdfast-${new URL(world.dashboard.origin).port}=../servers` } },
  ];
  for (const target of somewhere)
    for (const asked of wrong) {
      const { status, text } = await ask(world, target, asked);
      expect([target, asked, status]).toEqual([target, asked, 401]);
      expect(text).not.toContain(world.home.home);
    }
  expect((await ask(world, `/?token=${"x".repeat(43)}`)).status).toBe(401);
  // The token is for entering; in the address of the interface it is nothing.
  expect((await ask(world, `/api/about?token=${tokenOf(world)}`)).status).toBe(401);
});

test("the token gives a cookie and leaves the address; the cookie outlives the server, until it is old or given back", async () => {
  const first = await dashboardWorld();
  const { home } = first;
  const page = await ask(first, `/tasks/b1?token=${tokenOf(first)}&x=1`);
  expect(page.text).toContain('content="0;url=/tasks/b1?x=1"');
  const cookie = await enter(first);
  expect((await ask(first, "/api/about", { headers: { Cookie: cookie } })).status).toBe(200);
  await first[Symbol.asyncDispose]();

  await using second = await dashboardWorld({ home });
  const port = new URL(second.dashboard.origin).port;
  const again = cookie.replace(/^holdfast-\d+/, `holdfast-${port}`);
  const asked = { headers: { Cookie: again } };
  expect((await ask(second, "/api/about", asked)).status).toBe(200);
  // The token of the earlier server is nothing to this one.
  expect((await ask(second, `/?token=${tokenOf(first)}`)).status).toBe(401);

  const dir = holdfastPaths(home.home).browsersDir;
  const files = fs.readdirSync(dir).map((name) => path.join(dir, name));
  expect(files.map((file) => fs.statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
  const monthAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  for (const file of files) fs.utimesSync(file, monthAgo, monthAgo);
  expect((await ask(second, "/api/about", asked)).status).toBe(401);

  const fresh = await enter(second);
  const write = { "Content-Type": "application/json", "X-Holdfast": "1", Cookie: fresh };
  expect((await ask(second, "/api/leave", { method: "POST", headers: write, body: "{}" })).status).toBe(200);
  expect((await ask(second, "/api/about", { headers: { Cookie: fresh } })).status).toBe(401);
});

test("a code for one address lets one browser in", async () => {
  await using world = await dashboardWorld();
  const { code } = await world.ask("POST /api/enter");
  const cookie = await enter(world, code);
  expect((await ask(world, `/?token=${code}`)).status).toBe(401);
  expect((await ask(world, "/api/about", { headers: { Cookie: cookie } })).status).toBe(200);
});

test("an address never leads to another host, and runs nothing", async () => {
  await using world = await dashboardWorld();
  const { origin } = world.dashboard;
  for (const target of [
    "//evil.example/x",
    "///evil.example",
    "/%22%3E%3Cscript%3E",
    "/a?x=%22%3E%3Cscript%3E",
    "/..//evil.example",
  ]) {
    const token = `${target.includes("?") ? "&" : "?"}token=${tokenOf(world)}`;
    const { status, text, headers } = await ask(world, `${target}${token}`);
    const next = /content="0;url=([^"]*)"/.exec(text)?.[1];
    expect([target, status, new URL(next!, origin).origin]).toEqual([target, 200, origin]);
    expect(text).not.toContain("<script");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  }
  // Not even an address.
  expect((await ask(world, `/\\evil.example?token=${tokenOf(world)}`)).status).toBe(400);
});

test("another host is refused on every path, with the token and without", async () => {
  await using world = await dashboardWorld();
  const { port } = new URL(world.dashboard.origin);
  const hosts = [
    "evil.example",
    `evil.example:${port}`,
    `localhost:${port}`,
    "127.0.0.1",
    `127.0.0.1:1${port}`,
    `127.0.0.1:${port}.evil.example`,
  ];
  for (const Host of hosts)
    for (const target of [...somewhere, `/?token=${tokenOf(world)}`]) {
      const asked = { headers: { Host, Authorization: `Bearer ${tokenOf(world)}` } };
      const { status, headers } = await ask(world, target, asked);
      expect([Host, target, status === 421 || status === 400, headers["set-cookie"]]).toEqual([
        Host,
        target,
        true,
        undefined,
      ]);
    }
});

test("a page of another site can neither read nor write, and is never told that it may", async () => {
  await using world = await dashboardWorld();
  const cookie = await enter(world);
  const { origin } = world.dashboard;
  const own = { Cookie: cookie, "Content-Type": "application/json", "X-Holdfast": "1", Origin: origin };
  const write = (headers: Record<string, string>, body = "{}"): Promise<Answered> =>
    ask(world, "/api/enter", { method: "POST", headers: { ...own, ...headers }, body });
  expect((await write({ "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
  expect((await write({ Origin: "http://evil.example" })).status).toBe(403);
  expect((await write({ Origin: "null" })).status).toBe(403);
  expect((await write({ Origin: `${origin}.evil.example` })).status).toBe(403);
  expect((await write({ Origin: origin.replace("http:", "https:") })).status).toBe(403);
  for (const site of ["cross-site", "same-site", "none"])
    expect((await write({ "Sec-Fetch-Site": site })).status).toBe(403);
  expect((await write({ "X-Holdfast": "" })).status).toBe(403);
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonp",
  ])
    expect((await write({ "Content-Type": type })).status).toBe(415);
  const read = await ask(world, "/api/about", {
    headers: { Cookie: cookie, Origin: "http://evil.example", "Sec-Fetch-Site": "cross-site" },
  });
  expect(read.status).toBe(403);
  const asked = { Origin: "http://evil.example", "Access-Control-Request-Method": "POST" };
  const preflight = await ask(world, "/api/enter", {
    method: "OPTIONS",
    headers: { Cookie: cookie, ...asked },
  });
  expect(preflight.status).toBeGreaterThanOrEqual(400);
  for (const { headers } of [read, preflight])
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
});

test("every answer says what it must not do", async () => {
  await using world = await dashboardWorld();
  for (const target of [...somewhere, `/?token=${tokenOf(world)}`]) {
    const { headers } = await ask(world, target);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-resource-policy": "same-origin",
      "content-security-policy": expect.stringContaining("default-src 'none'") as string,
    });
    expect(headers["content-security-policy"]).not.toMatch(/script-src[^;]*unsafe|\*/);
  }
});

test("who may not write to the home still gets in, as long as the server lives", async () => {
  await using world = await dashboardWorld();
  const dir = holdfastPaths(world.home.home).dashboardDir;
  fs.rmSync(dir, { recursive: true });
  fs.writeFileSync(dir, "no folder");
  const cookie = await enter(world);
  expect((await ask(world, "/api/about", { headers: { Cookie: cookie } })).status).toBe(200);
});
