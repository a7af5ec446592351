import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Budget } from "../../src/agents/host/budget.ts";
import { ledgerFile } from "../../src/agents/host/ledger-file.ts";
import { currentProcess } from "../../src/lib/process-identity.ts";
import { tempDir } from "../support/temp-dir.ts";

// What a tree of agents has used of its limits, as Holdfast 0.1 wrote it: a request that was settled, one whose agent was
// killed, and a retry that was given back. The second file belongs to a worker of the fleet.
const frozen = new URL("data/budget-v1/", import.meta.url);

function copyOf(name: string, change = (text: string): string => text): string {
  const file = path.join(tempDir(), name);
  fs.writeFileSync(file, change(fs.readFileSync(new URL(name, frozen), "utf8")));
  return file;
}

const limits = { maxTurns: 3, maxTokens: 100_000, maxCostUsd: 2 };

describe("a budget of Holdfast 0.1", () => {
  test("counts the last line of every request, and goes on being taken from", () => {
    const file = copyOf("a1.budget");
    const budget = new Budget(limits, ledgerFile(file));
    expect(budget.used()).toEqual({ turns: 2, tokens: 34_840, costUsd: 0.4986 });
    const wanted = { turns: 1, inputTokens: 1000, answerTokensMax: 32_000 };
    expect(budget.take({ request: "new-1", ...wanted })).toEqual({ answerTokensMax: 32_000 });
    expect(budget.take({ request: "new-2", ...wanted })).toMatchObject({
      status: "failed",
      reason: "turns",
    });
    // What it writes, it writes as it was written then.
    const before = fs.readFileSync(new URL("a1.budget", frozen), "utf8");
    expect(fs.readFileSync(file, "utf8")).toBe(
      `${before}{"request":"new-1","turns":1,"tokens":33000,"costUsd":0}\n`,
    );
  });

  test("of a worker counts unless that worker is known to be gone", () => {
    const used = { turns: 1, tokens: 1840, costUsd: 0.0156 };
    expect(new Budget(limits, ledgerFile(copyOf("a2.budget"))).used()).toEqual(used);
    const here = copyOf("a2.budget", (text) => text.replace("worker-7", currentProcess().host));
    expect(() => new Budget(limits, ledgerFile(here)).used()).toThrow("the worker");
  });

  test.each(["", "{}", '{"request":"a","turns":1,"tokens":0,"costUsd":0}\n', "[]\n", "\n"])(
    "whose first line is gone is no new budget: %j",
    (text) => {
      const ledger = ledgerFile(copyOf("a1.budget", () => text));
      expect(() => ledger.read()).toThrow("is damaged");
    },
  );
});
