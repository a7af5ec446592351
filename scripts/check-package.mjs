// Checks the package as it would be published: its manifest, its types, what is unused, and its size.
// Prints one line a check; a check that fails shows what it found. Expects dist/ to be built (npm run ok does both).
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// A start from a cold cache reads all of it, and every install of every user downloads it.
const PACKED_BYTES_MAX = 1024 * 1024;

const temp = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-pack-"));
try {
  const packed = pack();
  const checks = [
    checkFiles(packed),
    checkSize(packed),
    runTool("publint", "publint/src/cli.js", ["run", "--strict", packed.tarball]),
    runTool("attw", "@arethetypeswrong/cli/dist/index.js", [
      packed.tarball,
      "--profile",
      "esm-only",
      "--no-color",
    ]),
    runTool("knip", "knip/bin/knip.js", ["--no-progress", "--no-config-hints"]),
  ];
  for (const { name, problem, detail } of checks) {
    process.stdout.write(
      `${name}: ${problem === undefined ? `ok${detail ? `, ${detail}` : ""}` : `FAILED\n${problem}`}\n`,
    );
  }
  process.exitCode = checks.some(({ problem }) => problem !== undefined) ? 1 : 0;
} finally {
  fs.rmSync(temp, { recursive: true });
}

// Without scripts, so that what is checked is what was built, and is not built a second time.
function pack() {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", temp];
  const done = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot pack: ${done.stderr}`);
  const [{ filename, size, unpackedSize, files }] = JSON.parse(done.stdout);
  return { tarball: path.join(temp, filename), size, unpackedSize, files: files.map((file) => file.path) };
}

// Every file that the manifest points at is inside, and nothing that only development needs.
function checkFiles({ files }) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const named = JSON.stringify([manifest.bin, manifest.exports]).match(
    /(?<=")(?:\.\/)?[\w/.-]+\.(?:js|ts|json)(?=")/g,
  );
  const missing = named.map((file) => path.normalize(file)).filter((file) => !files.includes(file));
  const stray = files.filter((file) => /\.test\.|^(?:src|test|bench|scripts)\/|\.tsbuildinfo$/.test(file));
  const problem = [
    ...missing.map(
      (file) => `  missing: ${file}${fs.existsSync(path.join(root, "dist")) ? "" : " (run npm run build)"}`,
    ),
    ...stray.map((file) => `  should not be published: ${file}`),
  ].join("\n");
  return { name: "files", detail: `${files.length} packed`, problem: problem || undefined };
}

function checkSize({ size, unpackedSize }) {
  const detail = `${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`;
  const problem =
    size > PACKED_BYTES_MAX ? `  ${detail}; the limit is ${kilobytes(PACKED_BYTES_MAX)} packed` : undefined;
  return { name: "size", detail, problem };
}

function runTool(name, script, args) {
  const tool = path.join(root, "node_modules", script);
  const done = spawnSync(process.execPath, [tool, ...args], { cwd: root, encoding: "utf8" });
  return { name, problem: done.status === 0 ? undefined : `${done.stdout}${done.stderr}`.trimEnd() };
}

function kilobytes(bytes) {
  return `${Math.ceil(bytes / 1024)} KB`;
}
