// Builds dist/ from src/, from nothing, so that a file that was deleted from src/ is not published.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

fs.rmSync(fileURLToPath(new URL("../dist", import.meta.url)), { recursive: true, force: true });
const done = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
process.exitCode = done.status ?? 1;
// The supervisor is a shell script, which the compiler does not know.
for (const name of fs.globSync("src/**/*.sh", { cwd: root })) {
  fs.copyFileSync(path.join(root, name), path.join(root, name.replace(/^src/, "dist")));
}
