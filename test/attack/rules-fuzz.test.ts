import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { judge, type PermissionRules } from "../../src/agents/rules/judge-request.ts";
import { openRulePlace } from "../../src/agents/rules/rule-place.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { tempDir } from "../support/temp-dir.ts";
import { attackSize, reportAttack } from "./attack-size.ts";
import { randomCommand } from "./random-command.ts";

const LINES = attackSize({ small: 1500, full: 20_000 });

// Two programs that write down that they ran, and one that must not run; and what may start them.
const helpers = "bash sh env nohup timeout nice xargs find cat tee true printf setsid stdbuf".split(" ");
const wrapperRules = ["env", "xargs", "find", "sh", "bash", "command", "eval", "tee", "exec", "trap"].map(
  (name) => `Bash(${name}:*)`,
);
const ruleSets: Omit<PermissionRules, "ask" | "approved">[] = [
  { allow: ["Bash(good:*)", "Bash(fine one:*)", "Bash(echo:*)", "Edit(ok/**)"], deny: [] },
  {
    allow: [
      "Bash(good:*)",
      "Bash(fine one:*)",
      "Bash(cat:*)",
      "Bash(cd:*)",
      "Bash(printf:*)",
      "Edit(ok/**)",
      ...wrapperRules,
    ],
    deny: [],
  },
  { allow: ["Bash"], deny: ["Bash(bad:*)", "Bash(fine two:*)", "Read(secret)", "Edit(//**)"] },
];

interface World {
  cwd: string;
  log: string;
  env: Record<string, string>;
}

function openWorld(): World {
  const dir = tempDir();
  const [bin, cwd, log] = ["bin", "cwd", "log"].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [bin, path.join(cwd, "ok")]) fs.mkdirSync(folder, { recursive: true });
  for (const name of ["good", "fine", "bad"])
    fs.writeFileSync(path.join(bin, name), `#!/bin/bash\necho "${name} $(printf '%q ' "$@")" >> ${log}\n`, {
      mode: 0o755,
    });
  for (const name of helpers) {
    const found = ["/usr/bin", "/bin"]
      .map((folder) => path.join(folder, name))
      .find((file) => fs.existsSync(file));
    if (found !== undefined) fs.symlinkSync(found, path.join(bin, name));
  }
  // Another program of that name; what a file does that is allowed to run, no rule about commands says.
  fs.writeFileSync(path.join(cwd, "good"), `#!/bin/bash\nprintf 'other\\n' >> ${log}\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(cwd, "secret"), "the secret\n");
  fs.writeFileSync(log, "");
  // What the line expands is the adversary's, too.
  const env = { PATH: bin, x: "bad", y: "a[$(bad)]", z: "-v", w: "$(bad)", one: "two", HOME: cwd };
  return { cwd, log, env };
}

test(
  `${LINES} random command lines run nothing but what the rules allow`,
  { timeout: 3_600_000 },
  async () => {
    const random = seededRandom(Date.now() % 1_000_000_000);
    const world = openWorld();
    const place = openRulePlace({ cwd: world.cwd, userHome: world.cwd, hasBash: true });
    const problems: string[] = [];
    const counts = { lines: 0, allowed: 0, denied: 0, asked: 0, programs: 0 };
    for (; counts.lines < LINES; counts.lines++) {
      const rules = ruleSets[counts.lines % ruleSets.length]!;
      const command = randomCommand(random);
      const verdict = await judge(
        { tool: "Bash", input: { command } },
        { ask: [], approved: [], ...rules },
        place,
      );
      counts[verdict === "allow" ? "allowed" : verdict === "deny" ? "denied" : "asked"]++;
      if (verdict !== "allow") continue;
      const ran = run(command, world);
      counts.programs += ran.programs.length;
      const wrong = [...ran.programs.filter((line) => !isMeant(line, rules)), ...ran.files];
      if (ran.output.includes("the secret") && rules.deny.length > 0) wrong.push("read the secret");
      if (wrong.length > 0)
        problems.push(`${JSON.stringify(command)} by ${rules.allow[0]}: ${wrong.join("; ")}`);
    }
    reportAttack("rules by random command lines", { ...counts, "got through": problems.length });
    expect({ seed: random.seed, problems }).toEqual({ seed: random.seed, problems: [] });
    // A judge that allows nothing shows nothing.
    expect(counts.allowed).toBeGreaterThan(LINES / 20);
    expect(counts.programs).toBeGreaterThan(LINES / 50);
  },
);

function isMeant(line: string, { deny }: { deny: readonly string[] }): boolean {
  if (deny.length > 0) return !/^(?:bad|fine two) /.test(line);
  return /^(?:good|fine one) /.test(line);
}

// What ran, and which files came to be where none may be written.
function run(
  command: string,
  { cwd, log, env }: World,
): { programs: string[]; files: string[]; output: string } {
  fs.truncateSync(log);
  const { stdout } = spawnSync("/bin/bash", ["-c", command], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 5000,
    killSignal: "SIGKILL",
    encoding: "utf8",
  });
  const programs = fs.readFileSync(log, "utf8").split("\n").filter(Boolean);
  const files = fs.readdirSync(cwd).filter((name) => !["ok", "good", "secret"].includes(name));
  for (const name of files) fs.rmSync(path.join(cwd, name), { recursive: true });
  fs.rmSync(path.join(cwd, "ok"), { recursive: true, force: true });
  fs.mkdirSync(path.join(cwd, "ok"));
  fs.writeFileSync(path.join(cwd, "secret"), "the secret\n");
  return { programs, files: files.map((name) => `wrote ${name}`), output: stdout };
}
