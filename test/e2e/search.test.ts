import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome } from "../support/index.ts";
import { homeWithSession, run } from "./cli.ts";

interface SearchAnswer {
  schemaVersion: number;
  hits: { sessionId: string; uuid: string | null; snippet: string; role: string }[];
  total: number;
  documents: number;
  missingBytes: number;
}

async function ask(args: string[], home = testHome()): Promise<SearchAnswer> {
  const { stdout } = await run([...args, "--json"], { home });
  return JSON.parse(stdout) as SearchAnswer;
}

describe("holdfast search", () => {
  test("--json has hits with every promised key, and how many there are", async () => {
    const { home, session } = homeWithSession();
    const answer = await ask(["search", "caller", "passes", "null"], home);
    expect(answer).toEqual({
      schemaVersion: 1,
      hits: [
        {
          sessionId: session.sessionId,
          project: session.projectKey,
          cwd: home.cwd,
          uuid: expect.any(String) as string,
          role: "assistant",
          timestamp: expect.stringMatching(/^2026-03-04T/) as string,
          snippet: "The caller passes null. ü 漢 🙂",
          score: expect.any(Number) as number,
          agentId: null,
          taskId: null,
          type: "assistant",
          highlights: [expect.anything(), expect.anything(), expect.anything()],
          path: session.path,
        },
      ],
      total: 1,
    });
    expect(await ask(["search", "nowhere"], home)).toEqual({ schemaVersion: 1, hits: [], total: 0 });
  });

  test("shows hits that fit the window, set off only where there are colours, and how to read on", async () => {
    const { home, session } = homeWithSession();
    const plain = await run(["search", "caller"], { home, env: { COLUMNS: "50" } });
    expect(plain.stdout).toContain(session.sessionId.slice(0, 8));
    expect(plain.stdout).not.toContain("\u001b");
    expect(plain.stdout.split("\n").filter((line) => line.length > 50)).toEqual([]);
    expect(plain.stderr).toContain("holdfast show ");
    const forced = await run(["search", "caller"], { home, env: { FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001b[33mcaller");
  });

  test("finds the same before and after holdfast index, and keeps the index current", async () => {
    const { home } = homeWithSession({ rounds: 3 });
    const before = await ask(["search", "parser"], home);
    expect(before.total).toBeGreaterThan(3);
    expect(await ask(["index", "--status"], home)).toMatchObject({ documents: 0 });
    expect(await ask(["index"], home)).toMatchObject({ missingBytes: 0 });
    const uuids = ({ hits }: SearchAnswer): string[] => hits.map(({ uuid }) => uuid ?? "").sort();
    expect(uuids(await ask(["search", "parser"], home))).toEqual(uuids(before));
    sampleSession({ cwd: home.cwd, seed: "another" }).write(home.configDir);
    const { total } = await ask(["search", "parser"], home);
    expect(total).toBeGreaterThan(before.total);
    expect(await ask(["index", "--status"], home)).toMatchObject({ missingBytes: 0 });
    expect(await ask(["index", "--rebuild"], home)).toMatchObject({ missingBytes: 0 });
    expect(await ask(["search", "parser"], home)).toMatchObject({ total });
  });

  test("takes its filters, from anywhere in the command", async () => {
    const { home } = homeWithSession();
    const total = async (...args: string[]): Promise<number> => (await ask(["search", ...args], home)).total;
    expect(await total("fails", "--role", "user", "--project", ".")).toBe(1);
    expect(await total("--project", "/nowhere", "parser")).toBe(0);
    expect(await total("test", "--tool", "Bash")).toBe(1);
    expect(await total("parser", "--since", "2027-01-01")).toBe(0);
    expect(await total("pars(er|ing)", "--regex", "--type", "custom-title")).toBe(1);
  });

  test("says that nothing was found, and what is wrong with a query", async () => {
    const home = testHome();
    expect(await run(["search", "x"], { home })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing found.\n",
    });
    expect(fs.existsSync(home.configDir)).toBe(false);
    expect(fs.existsSync(home.home)).toBe(false);
    expect(await run(["search"], { home })).toMatchObject({ code: 2 });
    expect(await run(["search", "…"], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no word to search for") as string,
    });
    expect(await run(["search", "(", "--regex"], { home })).toMatchObject({ code: 2 });
    expect(await run(["search", "x", "--role", "nobody"], { home })).toMatchObject({ code: 2 });
  });
});
