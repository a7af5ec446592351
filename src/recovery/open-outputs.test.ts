import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { systemClock } from "../lib/clock.ts";
import { currentProcess } from "../lib/process-identity.ts";
import { hasProc } from "../lib/process-table.ts";
import { recover } from "./recover.ts";

// A pid that no process has: the largest one is 4194304.
const GONE = 4_194_304;
const LAUNCHES = 500;

test.skipIf(!hasProc())(
  "recover() looks once at each process, however many launches of a dead client have no ending",
  () => {
    const home = path.join(tempDir(), "home");
    const dir = path.join(home, "projects", "-project");
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    fs.writeFileSync(
      path.join(dir, "background.jsonl"),
      Array.from({ length: LAUNCHES }, (_, index) => `${JSON.stringify(launchOf(index))}\n`).join(""),
    );
    const marks = { CLAUDE_PID: String(GONE), CLAUDE_CODE_SESSION_ID: "s-1" };
    const shell = spawn("sleep", ["1000"], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, ...marks },
    });
    const looks = new Map<string, number>();
    const count = (file: unknown): void => {
      const looked = /^\/proc\/\d+\/(?:environ|fd)$/.exec(String(file))?.[0];
      if (looked !== undefined) looks.set(looked, (looks.get(looked) ?? 0) + 1);
    };
    const { readFileSync, readdirSync } = fs;
    vi.spyOn(fs, "readFileSync").mockImplementation((...args: Parameters<typeof readFileSync>) => {
      count(args[0]);
      return readFileSync(...args);
    });
    vi.spyOn(fs, "readdirSync").mockImplementation((...args: Parameters<typeof readdirSync>) => {
      count(args[0]);
      return readdirSync(...args);
    });
    try {
      const found = recover({
        home,
        configDir: tempDir(),
        clock: systemClock,
        projectDir: "/project",
        sessionId: "s-1",
      });
      expect(found.running.length + found.lost.length).toBe(LAUNCHES);
      expect(looks.get(`/proc/${shell.pid}/environ`)).toBe(1);
      expect(Math.max(...looks.values())).toBe(1);
    } finally {
      vi.restoreAllMocks();
      shell.kill("SIGKILL");
    }
  },
);

function launchOf(index: number): object {
  const id = `b${String(index).padStart(8, "0")}`;
  return {
    timestamp: new Date().toISOString(),
    agent_id: id,
    subagent_type: "shell",
    description: "Run the tests",
    prompt_preview: `make ${index}`,
    output_file: `/nowhere/s-1/tasks/${id}.output`,
    session_id: "s-1",
    cwd: "/project",
    status: "launched",
    kind: "local_bash",
    fingerprint: String(index).padStart(16, "0"),
    source: "hook",
    client: { ...currentProcess(), pid: GONE, startTime: "1" },
  };
}
