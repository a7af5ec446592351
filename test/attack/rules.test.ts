import { expect, test } from "vitest";
import { judge } from "../../src/agents/rules/judge-request.ts";
import { reportAttack } from "./attack-size.ts";
import { ruleAttempts } from "./rules-corpus.ts";
import { rulesFolder } from "./rules-folder.ts";

test("judge() gives every attempt of the corpus the answer that is wanted", async () => {
  const place = rulesFolder();
  const wrong: string[] = [];
  const attempts = ruleAttempts();
  for (const { rules, tool, input, wanted } of attempts) {
    const verdict = await judge(
      { tool, input },
      { allow: [], deny: [], ask: [], approved: [], ...rules },
      place,
    );
    const answer = verdict ?? "ask";
    const what = JSON.stringify(input).slice(0, 200);
    if (answer !== wanted)
      wrong.push(`${answer} instead of ${wanted}: ${JSON.stringify(rules)} ${tool} ${what}`);
  }
  reportAttack("rules", { attempts: attempts.length, "wrong answers": wrong.length });
  expect(wrong).toEqual([]);
  expect(attempts.length).toBeGreaterThan(200);
});

test("judge() answers a script of sed that is made to be read in many ways, at once", async () => {
  const place = rulesFolder();
  const started = performance.now();
  for (const part of ["[]a", "[a", "[^]", "[b]", "a", "\\a[b]", "s/a"])
    for (const start of ["s/", "/", "a", "y/", "1,/"])
      await judge(
        { tool: "Bash", input: { command: `sed '${start}${part.repeat(5000)}/' x` } },
        { allow: ["Bash(sed:*)"], deny: [], ask: [], approved: [] },
        place,
      );
  expect(performance.now() - started).toBeLessThan(30_000);
});
