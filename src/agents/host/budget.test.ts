import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { canMount, fillDisk, freeDisk, smallDisk } from "../../../test/support/small-disk.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { currentProcess } from "../../lib/process-identity.ts";
import { Budget, ledgerInMemory, type Wanted } from "./budget.ts";
import { createLedgerFile, ledgerFile } from "./ledger-file.ts";

const wanted = (request: string, more: Partial<Wanted> = {}): Wanted => ({
  request,
  turns: 1,
  inputTokens: 1000,
  answerTokensMax: 32_000,
  ...more,
});

describe("Budget", () => {
  test("sets aside what a request may use, and takes back what it did not", () => {
    const budget = new Budget({ maxTokens: 100_000 }, ledgerInMemory());
    expect(budget.take(wanted("a"))).toEqual({ answerTokensMax: 32_000 });
    expect(budget.used()).toEqual({ turns: 1, tokens: 33_000, costUsd: 0 });
    // Half of what is left goes to the next, so that there is something for the one after it.
    expect(budget.take(wanted("b"))).toEqual({ answerTokensMax: 32_000 });
    expect(budget.take(wanted("c"))).toEqual({ answerTokensMax: 16_500 });
    expect(budget.used().tokens).toBe(83_500);
    for (const request of ["a", "b", "c"]) budget.settle(request, { turns: 1, tokens: 1100, costUsd: 0 });
    expect(budget.used()).toEqual({ turns: 3, tokens: 3300, costUsd: 0 });
  });

  test("refuses a request that what is left does not pay for, by tokens and by dollars", () => {
    const tokens = new Budget({ maxTokens: 1200 }, ledgerInMemory());
    expect(tokens.take(wanted("a"))).toMatchObject({ status: "failed", reason: "tokens" });
    expect(tokens.used()).toEqual({ turns: 0, tokens: 0, costUsd: 0 });
    const priceOf = ({ input, output }: { input: number; output: number }): number => (input + output) / 1e5;
    const dollars = new Budget({ maxCostUsd: 0.05 }, ledgerInMemory());
    expect(dollars.take(wanted("a", { priceOf }))).toEqual({ answerTokensMax: 2000 });
    expect(dollars.take(wanted("b", { priceOf }))).toEqual({ answerTokensMax: 500 });
    expect(dollars.take(wanted("c", { priceOf }))).toMatchObject({ status: "failed", reason: "cost" });
  });

  test("gives no more in many processes than in one", () => {
    const dir = tempDir();
    const file = path.join(dir, "budget");
    createLedgerFile(file);
    const modules = ["budget.ts", "ledger-file.ts"].map((name) => new URL(name, import.meta.url).href);
    const program = `
      const [{ Budget }, { ledgerFile }] = await Promise.all(${JSON.stringify(modules)}.map((each) => import(each)));
      const budget = new Budget({ maxTurns: 50, maxTokens: 1e6 }, ledgerFile(${JSON.stringify(file)}));
      let taken = 0;
      for (let at = 0; at < 40; at++) {
        const request = process.pid + "-" + at;
        const got = budget.take({ request, turns: 1, inputTokens: 10, answerTokensMax: 1000 });
        if ("status" in got) break;
        taken++;
        budget.settle(request, { turns: 1, tokens: 20, costUsd: 0 });
      }
      console.log(taken);`;
    const node = `${process.execPath} --disable-warning=ExperimentalWarning --input-type=module`;
    const script = `for i in 1 2 3 4; do ${node} < "$0" & done; wait`;
    const source = path.join(dir, "taker.mjs");
    fs.writeFileSync(source, program);
    const { stdout, stderr } = spawnSync("sh", ["-c", script, source], { encoding: "utf8" });
    expect(stderr).toBe("");
    const taken = stdout.trim().split("\n").map(Number);
    expect(taken).toHaveLength(4);
    expect(taken.reduce((sum, each) => sum + each)).toBe(50);
    expect(new Budget({}, ledgerFile(file)).used()).toEqual({ turns: 50, tokens: 1000, costUsd: 0 });
  });
});

describe("ledgerFile()", () => {
  test.skipIf(!canMount())("gives nothing away that it has no room to count", () => {
    using disk = smallDisk(64);
    const file = path.join(disk.dir, "budget");
    const ledger = createLedgerFile(file);
    const budget = new Budget({ maxTurns: 1000 }, ledger);
    const pageBytes = 4096;
    // The next line begins in the first page and ends in one that the disk does not have.
    for (let n = 0; fs.statSync(file).size + 60 < pageBytes; n++) budget.take(wanted(`r${n}`));
    fillDisk(disk.dir, { leave: 0 });
    const { turns } = budget.used();
    expect(() => budget.take(wanted("one more"))).toThrow("ENOSPC");
    freeDisk(disk.dir);
    expect(budget.used().turns).toBe(turns);
    expect(() => budget.take(wanted("another one"))).toThrow("is damaged");
  });

  test("is no new budget when it is gone, damaged, or its owner has ended", () => {
    const dir = tempDir();
    const missing = ledgerFile(path.join(dir, "missing"));
    expect(() => missing.read()).toThrow("the file that counts what this agent may use is gone");
    expect(() => missing.append({ request: "a", turns: 1, tokens: 0, costUsd: 0 })).toThrow("is gone");
    const damaged = path.join(dir, "damaged");
    createLedgerFile(damaged);
    fs.appendFileSync(damaged, '{"request":"a","turns":-1,"tokens":0,"costUsd":0}\n');
    expect(() => ledgerFile(damaged).read()).toThrow("is damaged");
    const owned = createLedgerFile(path.join(dir, "owned"), {
      owner: { ...currentProcess(), startTime: "1" },
    });
    expect(() => owned.read()).toThrow("the worker that counts what this agent may use is gone");
  });
});
