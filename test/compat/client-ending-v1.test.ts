import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { recover } from "../../src/recovery/recover.ts";
import { tidyClientEndings } from "../../src/recovery/client-ending.ts";
import { tempDir } from "../support/temp-dir.ts";

// A home in which four commands outlived their client: two recorded their exit codes, one only half of a line, one nothing.
const frozen = fileURLToPath(new URL("data/client-ending-v1", import.meta.url));

function oldHome(): string {
  const home = path.join(tempDir(), "home");
  fs.cpSync(frozen, home, { recursive: true });
  // The client ran on this machine, before it was started again.
  const manifest = path.join(home, "projects", "-project", "background.jsonl");
  const text = fs
    .readFileSync(manifest, "utf8")
    .replaceAll('"host":"gone"', `"host":${JSON.stringify(os.hostname())}`);
  fs.writeFileSync(manifest, text);
  for (const name of fs.readdirSync(path.join(home, "client-endings"))) {
    const at = new Date("2026-11-18T08:10:00.000Z");
    fs.utimesSync(path.join(home, "client-endings", name), at, at);
  }
  return home;
}

test("the exit code that a command recorded after its client was gone is known, whole or not at all", () => {
  const found = recover({
    home: oldHome(),
    configDir: tempDir(),
    clock: { now: () => new Date("2026-11-18T09:00:00.000Z") },
    projectDir: "/project",
    sessionId: "s-1",
  });
  const endedAt = "2026-11-18T08:10:00.000Z";
  const ended = found.finishedUnseen.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(ended).toMatchObject([
    { id: "b00000ok", status: "completed", exitCode: 0, endedAt },
    { id: "b0failed", status: "failed", exitCode: 7, endedAt, knownBy: ["manifest", "its own shell"] },
  ]);
  expect(found.lost.map(({ id }) => id).toSorted()).toEqual(["b000none", "b000torn"]);
});

test("such records are removed after a week", () => {
  const home = oldHome();
  const left = (): number => fs.readdirSync(path.join(home, "client-endings")).length;
  tidyClientEndings(home, { now: new Date("2026-11-25T08:00:00.000Z") });
  expect(left()).toBe(3);
  tidyClientEndings(home, { now: new Date("2026-11-25T08:20:00.000Z") });
  expect(left()).toBe(0);
});
