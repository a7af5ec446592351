import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { watchChanges } from "./watch-changes.ts";

// The timed check is kept out of the way: what is told here was seen.
const NEVER_MS = 600_000;

describe("watchChanges()", () => {
  test("tells what changed in a folder, also before it was asked", async () => {
    const dir = tempDir();
    const changes = watchChanges([dir], { checkMs: NEVER_MS });
    try {
      const next = changes.next();
      fs.writeFileSync(path.join(dir, "a"), "");
      expect([await next, [...changes.names]]).toEqual(["change", ["a"]]);
      fs.writeFileSync(path.join(dir, "b"), "");
      fs.renameSync(path.join(dir, "b"), path.join(dir, "c"));
      // The kernel may tell of the first in two pieces.
      const told = new Set<string>();
      while (!told.has("c")) {
        expect(await changes.next()).toBe("change");
        for (const name of changes.names) told.add(name);
      }
      told.delete("a");
      expect([...told]).toEqual(["b", "c"]);
    } finally {
      changes.close();
    }
  });

  test("checks a path that does not exist", async () => {
    const changes = watchChanges([path.join(tempDir(), "missing")], { checkMs: 10 });
    try {
      expect([await changes.next(), [...changes.names]]).toEqual(["check", []]);
    } finally {
      changes.close();
    }
  });

  test("leaves timers and signals their turn while a file is written without pause", async () => {
    const dir = tempDir();
    const fd = fs.openSync(path.join(dir, "x.output"), "a");
    const changes = watchChanges([dir], { checkMs: 10 });
    const writer = spawn("yes", [], { stdio: ["ignore", fd, "ignore"] });
    fs.closeSync(fd);
    try {
      let checks = 0;
      while (checks < 5) if ((await changes.next()) === "check") checks += 1;
      expect(checks).toBe(5);
    } finally {
      writer.kill("SIGKILL");
      changes.close();
    }
  });
});
