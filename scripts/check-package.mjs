// Checks the package as it would be published: its manifest, its types, its links, what is unused, its size, and what an
// install of it brings.
// Prints one line a check; a check that fails shows what it found. Expects dist/ to be built (npm run ok does both).
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packInto } from "./pack.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
// A start from a cold cache reads all of it, and every install of every user downloads it. The dashboard is some 300 KB of it:
// its page, its server, and the threads that read for it.
const PACKED_BYTES_MAX = 1600 * 1024;
// What everybody pays who installs it, also for the doors that they never open (docs/adr/0012).
const INSTALLED_BYTES_MAX = 40 * 1000 * 1000;
const INSTALLED_PACKAGES_MAX = 35;

const temp = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-pack-"));
try {
  const packed = packInto(temp);
  const checks = [
    checkFiles(packed),
    checkLinks(packed),
    checkSize(packed),
    checkInstall(packed),
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

// Every file that the manifest points at is inside, and nothing that only development needs.
function checkFiles({ files }) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const named = JSON.stringify([manifest.bin, manifest.man, manifest.exports]).match(
    /(?<=")(?:\.\/)?[\w/.-]+\.(?:js|ts|json|1)(?=")/g,
  );
  const missing = named.map((file) => path.normalize(file)).filter((file) => !files.includes(file));
  const stray = files.filter((file) =>
    /\.test\.|^(?:src|test|scripts)\/|^bench\/(?!\w+\.md$)|\.tsbuildinfo$/.test(file),
  );
  const problem = [
    ...missing.map(
      (file) => `  missing: ${file}${fs.existsSync(path.join(root, "dist")) ? "" : " (run npm run build)"}`,
    ),
    ...stray.map((file) => `  should not be published: ${file}`),
  ].join("\n");
  return { name: "files", detail: `${files.length} packed`, problem: problem || undefined };
}

// A link of a packed document leads to a packed file or folder.
function checkLinks({ files }) {
  const folders = new Set(files.map((file) => path.dirname(file)));
  const documents = files.filter((file) => file.endsWith(".md"));
  const links = documents.flatMap((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    return [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link]) => ({
      file,
      target: path.join(path.dirname(file), link).replace(/\/$/, ""),
    }));
  });
  const dead = links.filter(({ target }) => !files.includes(target) && !folders.has(target));
  const problem = dead
    .map(({ file, target }) => `  ${file} links to ${target}, which is not packed`)
    .join("\n");
  return {
    name: "links",
    detail: `${links.length} in ${documents.length} documents`,
    problem: problem || undefined,
  };
}

// As a user installs it, with npm's own words: a warning about a script to run is a failure.
function checkInstall({ tarball }) {
  const dir = path.join(temp, "user");
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, "package.json"), '{"private":true}\n');
  const npm = (...args) => spawnSync("npm", args, { cwd: dir, encoding: "utf8" });
  const done = npm("install", "--no-audit", "--no-fund", tarball);
  if (done.status !== 0) return { name: "install", problem: done.stderr };
  const { packages } = JSON.parse(fs.readFileSync(path.join(dir, "node_modules/.package-lock.json"), "utf8"));
  const count = Object.keys(packages).length;
  const bytes = bytesIn(path.join(dir, "node_modules"));
  const scripted = Object.keys(packages).filter((name) => packages[name].hasInstallScript);
  const detail = `${count} packages, ${Math.ceil(bytes / 1e6)} MB`;
  const limits = `${INSTALLED_PACKAGES_MAX} packages and ${INSTALLED_BYTES_MAX / 1e6} MB`;
  const problem = [
    count > INSTALLED_PACKAGES_MAX || bytes > INSTALLED_BYTES_MAX
      ? `  ${detail}; the limits are ${limits}`
      : "",
    ...scripted.map((name) => `  ${name} has an install script`),
    ...done.stderr.split("\n").filter((line) => line.includes("install-scripts")),
  ];
  return { name: "install", detail, problem: problem.filter(Boolean).join("\n") || undefined };
}

// On the disk: a file takes whole blocks.
function bytesIn(dir) {
  const stat = fs.lstatSync(dir);
  const own = stat.blocks * 512;
  if (!stat.isDirectory()) return own;
  return fs.readdirSync(dir).reduce((sum, name) => sum + bytesIn(path.join(dir, name)), own);
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
