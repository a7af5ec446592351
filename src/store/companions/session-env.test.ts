import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { readSessionEnv } from "./session-env.ts";

describe("readSessionEnv()", () => {
  it("reads every file of the session and reports what is none", () => {
    const configDir = tempDir();
    const dir = path.join(configDir, "session-env/s1");
    fs.mkdirSync(path.join(dir, "folder"), { recursive: true });
    const file = path.join(dir, "hook-1.sh");
    fs.writeFileSync(file, "export A=1\n");
    const updatedAt = fs.statSync(file).mtime.toISOString();
    expect(readSessionEnv({ configDir, sessionId: "s1" })).toEqual({
      files: [{ name: "hook-1.sh", path: file, text: "export A=1\n", updatedAt }],
      problems: [{ path: path.join(dir, "folder"), reason: "not-a-file" }],
    });
    expect(readSessionEnv({ configDir, sessionId: "s2" })).toEqual({ files: [], problems: [] });
  });
});
