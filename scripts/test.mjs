// The README's test command: unit, crash, compat, e2e and package tests, in one vitest run.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
const done = spawnSync(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exit(done.status ?? 1);
