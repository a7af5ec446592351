// Runs the package, as it would be published, on every Node that it promises to run on: its tour, which checks whatever it
// says, each of its examples, and an import of each export. Prints one line a program; ends with 1 if one failed.
//
//   npm run test:nodes [VERSION…]
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPacked } from "./install-packed.ts";
import { packInto } from "./pack.ts";
import { publicEntries } from "./public-entries.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
// The floor itself, and the newest of the lines that are maintained.
const NODES = ["22.18.0", "24.21.0", "26.10.0"];

const temp = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-nodes-"));
try {
  const script = (name: string, ...args: string[]): string =>
    execFileSync(process.execPath, [path.join(root, "scripts", name), ...args], { encoding: "utf8" });
  script("build.mjs");
  const { tarball } = packInto(temp);
  const versions = process.argv.length > 2 ? process.argv.slice(2) : NODES;
  const failures = versions.map((version) => {
    const node = script("with-node.mjs", "--fetch", version).trim();
    process.stdout.write(`Node ${version}\n`);
    return testOn(node, { tarball, dir: path.join(temp, version) });
  });
  process.exitCode = failures.some((count) => count > 0) ? 1 : 0;
} finally {
  fs.rmSync(temp, { recursive: true });
}

/** How many programs failed. */
function testOn(node: string, { tarball, dir }: { tarball: string; dir: string }): number {
  // One example is of the AI SDK.
  installPacked(tarball, dir, { extra: ["ai"] });
  const installed = path.join(dir, "node_modules/holdfast");
  // Node strips no types below node_modules.
  fs.cpSync(path.join(installed, "examples"), path.join(dir, "examples"), { recursive: true });
  const names = Object.keys(publicEntries).map((name) =>
    name === "index" ? "holdfast" : `holdfast/${name}`,
  );
  fs.writeFileSync(path.join(dir, "imports.mjs"), names.map((name) => `import "${name}";\n`).join(""));
  const examples = fs.readdirSync(path.join(dir, "examples")).filter((name) => /^\d\d-.*\.ts$/.test(name));
  const programs = [
    ["imports.mjs"],
    [path.join(installed, "bin/holdfast.js"), "demo"],
    ...examples.map((name) => [path.join("examples", name)]),
  ];
  return programs.filter((program) => !run(node, program, dir)).length;
}

function run(node: string, program: string[], dir: string): boolean {
  const home = fs.mkdtempSync(path.join(dir, "home-"));
  const begun = performance.now();
  const done = spawnSync(node, ["--disable-warning=ExperimentalWarning", ...program], {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: home, TMPDIR: home },
    encoding: "utf8",
  });
  const isOk = done.status === 0 && done.stderr === "";
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const name = program.map((word) => path.basename(word)).join(" ");
  process.stdout.write(`  ${isOk ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`);
  if (!isOk) process.stdout.write(`${done.stdout}${done.stderr}\n`.replace(/^(?=.)/gm, "    "));
  return isOk;
}
