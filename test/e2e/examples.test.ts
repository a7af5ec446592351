import { spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempDir } from "../support/index.ts";

const dir = fileURLToPath(new URL("../../examples", import.meta.url));
const examples = fs.readdirSync(dir).filter((name) => /^\d\d-.*\.ts$/.test(name));

describe("examples", () => {
  test.each(examples)("%s runs, finds what it says, and leaves nothing behind", async (name) => {
    const temp = tempDir();
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", name], {
      cwd: dir,
      env: { PATH: process.env["PATH"], HOME: temp, TMPDIR: temp },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(fs.readdirSync(temp)).toEqual([]);
  });
});
