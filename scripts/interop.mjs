// npm run test:interop [-- --client VERSION] [PART_OF_A_NAME…]
// Does the real client resume what Holdfast wrote, forked, moved and renamed, and do the runners drive real agents? The
// published programs are fetched into .cache/interop (never part of this repository) and run without a network, against
// a fake model on loopback.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const CLIENT = "@anthropic-ai/claude-code";
// The one that the last release was checked against; --client latest tries the newest.
const CLIENT_VERSION = "2.1.325";
// The agents that the runners are tried with.
const AGENTS = [
  "opencode-ai@1.18.33",
  "@google/gemini-cli@0.61.0",
  "@agentclientprotocol/claude-agent-acp@0.99.1",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  options: {
    client: { type: "string", default: CLIENT_VERSION },
    // Another program for the sandbox than the checks.
    run: { type: "string", default: "test/interop/run-checks.ts" },
  },
  allowPositionals: true,
});

const sandbox = findSandbox();
if (sandbox.missing) {
  process.stdout.write(`Skipped: ${sandbox.missing}\n0 passed, 0 failed\n`);
  process.exit(0);
}
const client = installClient(values.client);
process.stdout.write(`client ${client.version}, ${AGENTS.join(", ")}\n`);
// Outside the repository, whose being one the client would notice.
const workDir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-interop-"));
const checks = path.join(root, values.run);
const command = [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  checks,
  client.program,
  workDir,
  ...positionals,
];
const env = { ...process.env, HOLDFAST_INTEROP_AGENTS: installAgents() };
const { status } = spawnSync("unshare", [...sandbox.args, ...command], { stdio: "inherit", env });
fs.rmSync(workDir, { recursive: true, force: true });
process.exit(status ?? 1);

// How `unshare` runs a command with loopback and nothing else, in a process namespace that dies with it; or a
// sentence that says why it cannot here.
function findSandbox() {
  if (process.platform !== "linux") return { missing: "only Linux has network namespaces" };
  const asUser = process.getuid() === 0 ? [] : ["--user", "--map-root-user"];
  const unshare = [...asUser, "--net", "--pid", "--fork", "--mount-proc", "--kill-child", "--"];
  // The shell stays as the first process: it reaps what the client leaves, which Node would not.
  const init = ["sh", "-c", 'ip link set lo up && [ -z "$(ip route)" ] || exit 97; "$@"; exit $?', "init"];
  const args = [...unshare, ...init];
  const tried = spawnSync("unshare", [...args, "true"], { encoding: "utf8" });
  if (tried.status === 0) return { args };
  const why = tried.error?.message ?? tried.stderr.trim().split("\n")[0];
  return {
    missing: `cannot make a network namespace (${why}); needs unshare and ip, as root or with user namespaces`,
  };
}

function installClient(wanted) {
  const dir = path.join(root, ".cache", "interop", `client-${wanted}`);
  const scope = path.join(dir, "node_modules", "@anthropic-ai");
  // Install scripts are not run, so the program is taken from the platform's own package.
  const findProgram = () =>
    fs.existsSync(scope) &&
    fs
      .readdirSync(scope)
      .map((name) => path.join(scope, name, "claude"))
      .find((file) => fs.existsSync(file));
  if (wanted === "latest" || !findProgram()) fetchPackages(dir, [`${CLIENT}@${wanted}`]);
  const program = findProgram();
  if (!program)
    throw new Error(`Cannot find the program of ${CLIENT}@${wanted}: no package for this platform`);
  const manifest = JSON.parse(fs.readFileSync(path.join(scope, "claude-code", "package.json"), "utf8"));
  return { program, version: manifest.version };
}

function installAgents() {
  const dir = path.join(root, ".cache", "interop", AGENTS.join("+").replaceAll(/[^\w.+-]/g, "-"));
  const folderOf = (spec) => path.join(dir, "node_modules", spec.slice(0, spec.lastIndexOf("@")));
  if (!AGENTS.every((spec) => fs.existsSync(folderOf(spec)))) fetchPackages(dir, AGENTS);
  return dir;
}

function fetchPackages(dir, packages) {
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, "package.json"), '{"private":true}\n');
  const args = [
    "install",
    "--ignore-scripts",
    "--no-save",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const done = spawnSync("npm", [...args, ...packages], {
    cwd: dir,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (done.status === 0) return;
  fs.rmSync(dir, { recursive: true, force: true });
  process.stdout.write(
    `Cannot fetch ${packages.join(", ")}: npm failed; is the registry reachable?\n0 passed, 1 failed\n`,
  );
  process.exit(1);
}
