import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fakeClock, tempDir } from "../../../test/support/index.ts";
import { hookStartMsMax } from "./limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import type { CheckResult } from "../health-check.ts";
import { hooks } from "./hooks.ts";

const bin = fileURLToPath(new URL("../../../bin/holdfast.js", import.meta.url));
const hooksThatRun = (command: string, args?: string[]): object => ({
  hooks: { SessionStart: [{ hooks: [{ type: "command", command, ...(args && { args }) }] }] },
});
const wired = hooksThatRun(process.execPath, [bin, "hook"]);

// A home whose client has these settings, and a client that runs: this process, registered just now.
function homeWith(settings: object): { home: string; configDir: string } {
  const [home, configDir] = [tempDir(), tempDir()];
  fs.writeFileSync(path.join(configDir, "settings.json"), JSON.stringify(settings));
  fs.mkdirSync(path.join(configDir, "sessions"));
  const registered = { pid: process.pid, sessionId: "s-1" };
  fs.writeFileSync(path.join(configDir, "sessions", `${process.pid}.json`), JSON.stringify(registered));
  return { home, configDir };
}

async function check(
  place: { home: string; configDir: string },
  { inMs }: { inMs: number },
): Promise<CheckResult | undefined> {
  const clock = fakeClock(new Date(Date.now() + inMs).toISOString());
  const transcripts = (): never => expect.unreachable("it asks about no session");
  return hooks.run({ ...place, cwd: place.home, clock, transcripts });
}

test("a client that runs and has not called the hooks is told of, once it had the time to", async () => {
  const place = homeWith(wired);
  expect(await check(place, { inMs: 0 })).toMatchObject({ status: "ok" });
  expect(await check(place, { inMs: 2 * hookStartMsMax })).toMatchObject({
    status: "warn",
    summary: "installed, but a running client has not called them; restart it",
    findings: [{ text: expect.stringContaining(`process ${process.pid}, `) as string, sessionId: "s-1" }],
  });
});

test("a client that has called the hooks since it began is well", async () => {
  const place = homeWith(wired);
  fs.writeFileSync(holdfastPaths(place.home).hookRunFile, "");
  expect(await check(place, { inMs: 2 * hookStartMsMax })).toMatchObject({ status: "ok" });
});

test("hooks that are switched off are told of", async () => {
  expect(await check(homeWith({ ...wired, disableAllHooks: true }), { inMs: 0 })).toMatchObject({
    status: "warn",
    summary: 'installed, but turned off by "disableAllHooks" in the settings of the client',
  });
});

test.each([
  ["a program that is gone", hooksThatRun("/nowhere/holdfast", ["hook"]), /cannot be started.*ENOENT/],
  [
    "a line for a shell whose program is gone",
    hooksThatRun("/nowhere/holdfast hook"),
    /ended with 127: .*\/nowhere\/holdfast/,
  ],
  [
    "a Node whose program is gone",
    hooksThatRun(process.execPath, ["/nowhere/hook.cjs"]),
    /ended with 1: .*Cannot find module/,
  ],
  [
    "a plugin whose command is not on the PATH",
    { enabledPlugins: { "holdfast@holdfast": true } },
    /cannot be started/,
  ],
])("hooks that name %s are told of, with what came back", async (_, settings, trouble) => {
  expect(await check(homeWith(settings), { inMs: 0 })).toMatchObject({
    status: "fail",
    summary: expect.stringContaining("wired, but what they name does not work") as string,
    findings: [{ text: expect.stringMatching(trouble) as string }],
  });
});
