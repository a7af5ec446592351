// npm run test:attack: the whole adversary, at full counts. Each part is a test file in test/attack/, of which the default tests
// run a smaller count. Prints what each part tried; the exit code is 1 if something got through.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-attack-"));
const report = path.join(dir, "counts");
fs.writeFileSync(report, "");
const parts = process.argv.slice(2);
const done = spawnSync(
  process.execPath,
  [vitest, "run", "--testTimeout=3600000", ...(parts.length > 0 ? parts : ["test/attack/"])],
  { cwd: root, stdio: "inherit", env: { ...process.env, ATTACK_REPORT: report } },
);
process.stdout.write(`\n${fs.readFileSync(report, "utf8")}`);
fs.rmSync(dir, { recursive: true });
process.exit(done.status ?? 1);
