import { expect, test } from "vitest";
import { openApp } from "./open-app.ts";
import type { ServerWorld } from "./server-world.ts";

const world: ServerWorld = {
  runtime: { home: "/h", configDir: "/c" } as ServerWorld["runtime"],
  version: "1.2.3",
  instance: "one",
  cwd: "/w",
  by: "dashboard:anna",
  userName: "anna",
  origin: "http://127.0.0.1:1",
};

test("openApp() answers a route of the contract, and says of another path that there is none", async () => {
  const app = openApp(world);
  const about = await app.request("/api/about");
  expect(about.status).toBe(200);
  expect(await about.json()).toMatchObject({ version: "1.2.3", userName: "anna" });
  const other = await app.request("/api/nothing");
  expect(other.status).toBe(404);
  expect(await other.json()).toMatchObject({ error: { code: "no_route" } });
});
