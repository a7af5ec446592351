import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome } from "../support/index.ts";
import { homeWithSession, run } from "./cli.ts";

interface UsageAnswer {
  schemaVersion: number;
  by: string;
  rows: { key: string }[];
  totals: Record<string, unknown>;
}

describe("holdfast usage", () => {
  test("--json has rows and totals with every promised key", async () => {
    const { home } = homeWithSession();
    const { code, stdout } = await run(["usage", "--json"], { home });
    const json = JSON.parse(stdout) as UsageAnswer;
    const counts = {
      messages: expect.any(Number) as number,
      inputTokens: expect.any(Number) as number,
      outputTokens: expect.any(Number) as number,
      cacheCreationTokens: expect.any(Number) as number,
      cacheCreation5mTokens: expect.any(Number) as number,
      cacheCreation1hTokens: 0,
      cacheReadTokens: expect.any(Number) as number,
      costUsd: expect.any(Number) as number,
      unpricedMessages: 0,
      placeholderMessages: 0,
    };
    expect({ code, json }).toEqual({
      code: 0,
      json: { schemaVersion: 1, by: "day", rows: [{ key: "2026-03-04", ...counts }], totals: counts },
    });
  });

  test("shows a table with a total that fits the window, and values for a spreadsheet", async () => {
    const { home, session } = homeWithSession();
    const table = await run(["usage", "--by", "session"], { home, env: { COLUMNS: "60" } });
    expect(table.stdout).toMatch(/^SESSION .* COST/);
    expect(table.stdout).toContain(session.sessionId.slice(0, 8));
    expect(table.stdout).toMatch(/^total .*\$0\.\d\d/m);
    expect(table.stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
    const csv = await run(["usage", "--by", "session", "--csv"], { home });
    const [head, row, ...rest] = csv.stdout.split("\r\n");
    expect(head).toMatch(/^session,messages,inputTokens,outputTokens,cacheCreationTokens,/);
    expect(row).toMatch(new RegExp(`^${session.sessionId},\\d+,`));
    expect(rest).toEqual([""]);
  });

  test("--since and --until take UTC days, whatever the clock of the machine says", async () => {
    const { home } = homeWithSession();
    const count = async (...args: string[]): Promise<number> => {
      const { stdout } = await run(["usage", "--json", ...args], { home, env: { TZ: "Pacific/Auckland" } });
      return (JSON.parse(stdout) as UsageAnswer).rows.length;
    };
    expect(await count("--since", "2026-03-04", "--until", "2026-03-04")).toBe(1);
    expect(await count("--since", "2026-03-05")).toBe(0);
    expect(await count("--until", "2026-03-03")).toBe(0);
  });

  test("says on an empty home that there is nothing, and leaves nothing in the client's folder", async () => {
    const home = testHome();
    const answer = await run(["usage"], { home });
    expect(answer).toMatchObject({ code: 0, stdout: "" });
    expect(answer.stderr).toContain("No usage");
    expect(fs.existsSync(home.configDir)).toBe(false);
  });

  test("takes prices from config.json, and says what is wrong with them", async () => {
    const { home } = homeWithSession();
    fs.mkdirSync(home.home, { mode: 0o700 });
    const config = path.join(home.home, "config.json");
    fs.writeFileSync(config, JSON.stringify({ prices: { "claude-opus-4-6": { input: 0, output: 1e6 } } }));
    const { stdout } = await run(["usage", "--json"], { home });
    const { totals } = JSON.parse(stdout) as UsageAnswer;
    expect(totals["costUsd"]).toBe(totals["outputTokens"]);
    fs.writeFileSync(config, JSON.stringify({ prices: { x: { input: "1" } } }));
    const wrong = await run(["usage"], { home });
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"x.input" must be a number') as string,
    });
  });

  test.each(["day", "model", "session"])("--project counts only its sessions, by %s", async (by) => {
    const { home } = homeWithSession();
    sampleSession({ cwd: home.userHome, rounds: 3, seed: "other" }).write(home.configDir);
    const messages = async (...args: string[]): Promise<number> => {
      const { stdout } = await run(["usage", "--by", by, "--json", ...args], { home });
      return (JSON.parse(stdout) as UsageAnswer).totals["messages"] as number;
    };
    const [all, here, there] = [
      await messages("--all"),
      await messages("--project", "."),
      await messages("--project", home.userHome),
    ];
    expect([here > 0, there > 0, here + there]).toEqual([true, true, all]);
  });

  test("refuses what it does not know", async () => {
    expect(await run(["usage", "--by", "week"])).toMatchObject({ code: 2 });
    expect(await run(["usage", "--csv", "--json"])).toMatchObject({ code: 2 });
    expect(await run(["usage", "--since", "soon"])).toMatchObject({ code: 2 });
  });
});
