import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasProc } from "../../src/lib/process-table.ts";
import { envLine } from "../../src/recovery/plugin/env-line.ts";
import { hookHome, type HookHome } from "./hook-cli.ts";

const script = fileURLToPath(new URL("../../plugin/hooks/record-ending.sh", import.meta.url));

describe.skipIf(!hasProc())("the file that a client offers for the environment of a session", () => {
  test("gets our line once, and keeps what is in it", async () => {
    await using home = hookHome();
    await begin(home);
    expect(fs.readFileSync(fileOf(home), "utf8")).toBe(`${lineOf(home)}\n`);
    fs.appendFileSync(fileOf(home), "export A=1\n");
    await begin(home, "resume");
    await begin(home, "compact");
    expect(fs.readFileSync(fileOf(home), "utf8")).toBe(`${lineOf(home)}\nexport A=1\n`);
    expect(fs.statSync(path.join(home.home, "client-endings")).mode & 0o777).toBe(0o700);
    expect(home.log()).toBe("");
  });

  test("loses our line, and nothing else, by the setting and when the hooks are uninstalled", async () => {
    await using home = hookHome();
    await begin(home);
    await home.holdfast("plugin", "uninstall");
    expect(fs.existsSync(fileOf(home))).toBe(false);
    fs.writeFileSync(fileOf(home), "export A=1\n");
    await begin(home);
    await home.holdfast("config", "set", "hooks.exitCodes", "false");
    await begin(home);
    expect(fs.readFileSync(fileOf(home), "utf8")).toBe("export A=1\n");
  });

  test("is no reason to fail when it cannot be written, or is none", async () => {
    await using home = hookHome();
    for (const CLAUDE_ENV_FILE of ["relative", "/nowhere/file.sh", home.cwd]) {
      const { code, stdout, stderr } = await home.send("SessionStart", {}, { env: { CLAUDE_ENV_FILE } });
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  });
});

function fileOf(home: HookHome): string {
  return path.join(home.configDir, "session-env", "s-1", "sessionstart-hook-0.sh");
}

function lineOf(home: HookHome): string {
  return envLine({ script, endingsDir: path.join(home.home, "client-endings") });
}

async function begin(home: HookHome, source = "startup"): Promise<void> {
  fs.mkdirSync(path.dirname(fileOf(home)), { recursive: true });
  await home.send("SessionStart", { source }, { env: { CLAUDE_ENV_FILE: fileOf(home) } });
}
