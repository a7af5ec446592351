import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isWithoutProc, onMachine, whyNoMachine } from "../support/other-machine.ts";
import { tempDir } from "../support/temp-dir.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
/** What every run of the tests tries without /proc; `npm run test:portable` runs all that concerns tasks. */
const files = [
  "test/portable/few-tasks.test.ts",
  "src/lib/ps-table.test.ts",
  "src/lib/process-identity.test.ts",
  "src/lib/process-tree.test.ts",
];

const why = isWithoutProc ? "this is such a machine" : whyNoMachine();
if (why !== undefined) process.stdout.write(`skipped: ${why}\n`);

test.skipIf(why !== undefined)("processes are told apart on a machine without /proc", () => {
  const dir = tempDir();
  const [folder, reportFile] = [path.join(dir, "machine"), path.join(dir, "report.json")];
  fs.mkdirSync(folder);
  const [program = "", ...args] = onMachine({ make: "bsd", shell: "dash", folder }, [
    process.execPath,
    vitest,
    "run",
    "--reporter=json",
    `--outputFile=${reportFile}`,
    ...files,
  ]);
  const { stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8", timeout: 50_000 });
  if (!fs.existsSync(reportFile)) throw new Error(`The tests did not run: ${stderr}`);
  const report = JSON.parse(fs.readFileSync(reportFile, "utf8")) as Report;
  const failed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap((each) =>
      each.status === "failed" ? [`${each.fullName}: ${each.failureMessages.join("\n")}`] : [],
    ),
  );
  expect(failed).toEqual([]);
  expect(report.testResults.length).toBe(files.length);
  expect(report.numPassedTests).toBeGreaterThan(10);
});

interface Report {
  numPassedTests: number;
  testResults: {
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}
