#!/usr/bin/env node
// Runs a script on a Node that the project supports. Written for every Node since 16, because its
// one purpose is to be started by a Node that is too old.
//
//   node scripts/with-node.mjs SCRIPT [ARG…]   run SCRIPT here, or on a fetched Node when this one is too old
//   node scripts/with-node.mjs --fetch         only make sure that such a Node is there
//   node scripts/with-node.mjs --fetch 26.1.0  make sure that this one is there, and print where
//
// The fetched Node lives in .cache/ of the clone (never under $HOME, which callers may change) and
// comes from the npm registry as an ordinary package without an install script (docs/adr/0001).
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const FLOOR = [22, 18];
const FETCH_VERSION = "24.21.0";

export function isSupported(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  return major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1]);
}

/** The path of a supported Node: this one, or one fetched through npm. Says so in one line when it fetches. */
export function supportedNode() {
  if (isSupported()) return process.execPath;
  return fetchedNode(FETCH_VERSION, `Node ${process.versions.node} is older than ${FLOOR.join(".")}`);
}

/** The path of the Node with this version, which is fetched through npm unless it is there. `why` is said when it is fetched. */
export function fetchedNode(version, why = "the tests run on this Node, too") {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${os.arch()}`;
  const home = path.join(ROOT, ".cache", `${name}-${version}`);
  const binary = path.join(home, "node_modules", name, "bin", platform === "win" ? "node.exe" : "node");
  if (!fs.existsSync(binary)) fetchNode({ name, version, home, why });
  return binary;
}

// Installed into a private folder and renamed into place, so that two clones of this script racing
// (npm test beside npm start) never see half a Node.
function fetchNode({ name, version, home, why }) {
  process.stderr.write(`holdfast: ${why}; fetching ${name}@${version} through npm …\n`);
  fs.mkdirSync(path.dirname(home), { recursive: true });
  const temp = fs.mkdtempSync(`${home}.`);
  fs.writeFileSync(path.join(temp, "package.json"), '{"private":true}\n');
  const args = [
    "install",
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const env = {
    ...process.env,
    npm_config_global: "false",
    npm_config_prefix: undefined,
    INIT_CWD: undefined,
  };
  const done = spawnSync(npm, [...args, `${name}@${version}`], { cwd: temp, env, encoding: "utf8" });
  if (done.status !== 0) {
    fs.rmSync(temp, { recursive: true, force: true });
    const reason = done.error ? done.error.message : done.stderr.trim().split("\n").slice(-3).join(" ");
    process.stderr.write(
      `holdfast: Cannot fetch Node: ${reason}. Install Node ${FLOOR.join(".")} or newer and run this again.\n`,
    );
    process.exit(1);
  }
  try {
    fs.renameSync(temp, home);
  } catch (error) {
    fs.rmSync(temp, { recursive: true, force: true });
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
}

/** Runs `script` with `args` on the supported Node, passes signals and the exit code through. Never returns. */
export function runOn(node, script, args) {
  const child = spawn(node, [script, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`holdfast: Cannot start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (process.argv[1] && pathToFileURL(fs.realpathSync(process.argv[1])).href === import.meta.url) {
  const [script, ...args] = process.argv.slice(2);
  if (script === "--fetch" && args.length > 0) {
    process.stdout.write(`${fetchedNode(args[0])}\n`);
    process.exit(0);
  }
  const node = supportedNode();
  if (script === "--fetch") process.exit(0);
  if (!script) {
    process.stderr.write("usage: node scripts/with-node.mjs SCRIPT [ARG…] | --fetch [VERSION]\n");
    process.exit(2);
  }
  runOn(node, path.resolve(ROOT, script), args);
}
