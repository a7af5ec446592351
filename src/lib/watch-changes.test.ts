import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../test/support/index.ts";
import { watchChanges } from "./watch-changes.ts";

// The timed check is kept out of the way: what is told here was seen.
const NEVER_MS = 600_000;

describe("watchChanges()", () => {
  test("tells what happens in folders below, also in those that come later", async () => {
    const dir = tempDir();
    fs.mkdirSync(path.join(dir, "a", "tasks"), { recursive: true });
    const changes = watchChanges([{ path: dir, depth: 2 }], { checkMs: NEVER_MS });
    try {
      fs.writeFileSync(path.join(dir, "a", "tasks", "x.json"), "{}");
      expect(await changes.next()).toBe("change");
      const late = path.join(dir, "b", "tasks");
      fs.mkdirSync(late, { recursive: true });
      let isWritten = false;
      // Whenever the new folders were noticed, what is written afterwards is told.
      for (let told = await changes.next(); !isWritten; told = await changes.next()) {
        expect(told).toBe("change");
        fs.writeFileSync(path.join(late, "y.json"), "{}");
        isWritten = true;
      }
    } finally {
      changes.close();
    }
  });

  test("tells only of names that matter", async () => {
    const dir = tempDir();
    const matters = (name: string): boolean => name.endsWith(".json");
    const changes = watchChanges([{ path: dir, matters }], { checkMs: NEVER_MS });
    try {
      let told = 0;
      const next = changes.next().then(() => (told += 1));
      fs.writeFileSync(path.join(dir, "x.output"), "printed");
      await waitFor(() => new Promise((resolve) => setImmediate(() => resolve(true))));
      expect(told).toBe(0);
      fs.writeFileSync(path.join(dir, "x.end.json"), "{}");
      await next;
    } finally {
      changes.close();
    }
  });

  test("leaves timers and signals their turn while a file below is written without pause", async () => {
    const dir = tempDir();
    fs.mkdirSync(path.join(dir, "p", "tasks"), { recursive: true });
    const fd = fs.openSync(path.join(dir, "p", "tasks", "x.output"), "a");
    const changes = watchChanges([{ path: dir, depth: 2 }], { checkMs: 10 });
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
