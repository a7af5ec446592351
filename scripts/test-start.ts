// Follows README's five commands and docs/guide/start.md word for word, as a stranger would: an empty home, the oldest Node
// that is promised, `npm install -g holdfast` from a registry on loopback that has the packed package. The model is scripted.
// Prints every line and what it printed; ends with 1 at the first that fails.
//
//   npm run test:start
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../test/interop/scripted-model.ts";
import { startRegistry } from "../test/support/package-registry.ts";
import { packInto } from "./pack.ts";

const FLOOR = "22.18.0";
const root = fileURLToPath(new URL("..", import.meta.url));
const temp = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-start-"));
const at = (name: string): string => path.join(temp, name);
const ownScript = (name: string, ...args: string[]): string =>
  execFileSync(process.execPath, [path.join(root, "scripts", name), ...args], { encoding: "utf8" }).trim();

ownScript("build.mjs");
const node = ownScript("with-node.mjs", "--fetch", FLOOR);
const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
for (const dir of ["home", "project", "bin", "packed"]) fs.mkdirSync(at(dir));
fs.symlinkSync(node, path.join(at("bin"), "node"));
fs.symlinkSync(npm, path.join(at("bin"), "npm"));
fs.writeFileSync(path.join(at("project"), "package.json"), '{"scripts":{"test":"echo fine"}}\n');
const settings = path.join(at("home"), ".claude", "settings.json");
const ownSettings = '{ "model":   "opus" }\n';
fs.mkdirSync(path.dirname(settings));
fs.writeFileSync(settings, ownSettings);

await using registry = await startRegistry(packInto(at("packed")).tarball);
await using model = await startScriptedModel({
  main: [["package.json is the largest."], ["The commit is fine."]],
});
const env = {
  HOME: at("home"),
  PATH: `${at("bin")}:${path.join(at("global"), "bin")}:/usr/bin:/bin`,
  npm_config_registry: registry.url,
  npm_config_prefix: at("global"),
  npm_config_update_notifier: "false",
  ANTHROPIC_API_KEY: "sk-ant-not-a-key",
  ANTHROPIC_BASE_URL: model.url,
};

const expectations = [
  { of: "holdfast logs tests", shows: /3 tests passed/ },
  { of: "holdfast inspect server", shows: /stopped/ },
  { of: "Which file in this folder", shows: /package\.json is the largest\./ },
  { of: "holdfast output review", shows: /The commit is fine\./ },
  { of: "holdfast sessions", shows: /Which file in this folder/ },
];
const start = blocksOf("docs/guide/start.md");
const five = blocksOf("README.md").filter((block) => block.includes("holdfast wait @last"));
let failed: string | undefined;
try {
  for (const line of [...start, ...five].flatMap((block) => linesOf(block))) await follow(line);
  must(model.main.length === 2, "both agents asked the model");
  must(fs.readFileSync(settings, "utf8") === ownSettings, "uninstalled, the settings are what they were");
} catch (error) {
  failed = (error as Error).message;
}
process.stdout.write(failed === undefined ? "\nAll of it works.\n" : `\nFAILED: ${failed}\n`);
process.exitCode = failed === undefined ? 0 : 1;
fs.rmSync(temp, { recursive: true, force: true });

async function follow(line: string): Promise<void> {
  process.stdout.write(`\n$ ${line}\n`);
  const { code, printed } = await runLine(line);
  process.stdout.write(printed);
  if (code !== 0) throw new Error(`"${line}" ended with ${code}`);
  const expected = expectations.find(({ of }) => line.includes(of));
  if (expected) must(expected.shows.test(printed), `"${line}" shows ${String(expected.shows)}`);
  if (line === "holdfast plugin install")
    must(fs.readFileSync(settings, "utf8").includes("PostToolUse"), "the hooks are in the settings");
}

function runLine(line: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn("bash", ["-c", line], { cwd: at("project"), env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, printed })));
}

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`it is not so that ${what}`);
}

function blocksOf(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
}

function linesOf(block: string): string[] {
  return block
    .split("\n")
    .map((line) => line.replace(/\s+# .*$/, "").trim())
    .filter((line) => line !== "");
}
