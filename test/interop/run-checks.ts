// Runs inside the sandbox that scripts/interop.mjs makes.
//   run-checks.ts CLIENT WORK_DIR [PART_OF_A_NAME…]
import fs from "node:fs";
import path from "node:path";
import { agentChecks } from "./agent-checks.ts";
import { checkHome, checks } from "./checks.ts";
import { crashChecks } from "./crash-checks.ts";
import { endChecks } from "./end-checks.ts";
import { endingChecks } from "./ending-checks.ts";
import { fleetChecks } from "./fleet-checks.ts";
import { hostChecks } from "./host-checks.ts";
import { movedChecks } from "./moved-checks.ts";
import { onceChecks } from "./once-checks.ts";
import { otherWorkChecks } from "./other-work-checks.ts";
import { pluginChecks } from "./plugin-checks.ts";
import { repairChecks } from "./repair-checks.ts";
import { shapeChecks } from "./shape-checks.ts";

const [client, workDir, ...wanted] = process.argv.slice(2) as [string, string, ...string[]];
const chosen = [
  ...checks,
  ...hostChecks,
  ...repairChecks,
  ...shapeChecks,
  ...pluginChecks,
  ...crashChecks,
  ...endChecks,
  ...movedChecks,
  ...onceChecks,
  ...otherWorkChecks,
  ...endingChecks,
  ...agentChecks,
  ...fleetChecks,
].filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
let failed = 0;

for (const { name, run } of chosen) {
  const dir = fs.mkdtempSync(path.join(workDir, "home-"));
  const problems = await run(checkHome(dir, client)).catch((error: unknown) => [String(error)]);
  process.stdout.write(
    `${problems.length === 0 ? "ok    " : "FAILED"} ${name}${problems.map((problem) => `\n         ${problem}`).join("")}\n`,
  );
  if (problems.length > 0) failed += 1;
  fs.rmSync(dir, { recursive: true, force: true });
}

process.stdout.write(`${chosen.length - failed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
