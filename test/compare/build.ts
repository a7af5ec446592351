import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { installPackage } from "../../bench/support/installed-command.ts";

/** One of the two builds that are compared. */
export interface Build {
  readonly name: "before" | "after";
  /** What a command answers with --json. Throws if it does not answer: two builds that fail are not equal. */
  ask(words: readonly string[], home: string): Answer;
}

export interface Answer {
  readonly code: number;
  readonly json: unknown;
}

const ANSWER_BYTES_MAX = 2 ** 30;

export function openBuild(
  name: Build["name"],
  { clone, configDir, scratchDir }: { clone: string; configDir: string; scratchDir: string },
): Build {
  if (!fs.existsSync(path.join(clone, "dist")))
    throw new Error(`Cannot compare "${clone}": it has no dist/. Run "npm run build" there`);
  const [node = "", ...command] = installPackage(clone, path.join(scratchDir, `package-${name}`));
  const helped = new Map<string, string>();
  // A build that tells of this project is asked for the machine, of which the others tell anyway.
  const forMachine = (verb: string): string[] => {
    if (verb !== "search" && verb !== "usage") return [];
    const help =
      helped.get(verb) ?? spawnSync(node, [...command, verb, "--help"], { encoding: "utf8" }).stdout;
    helped.set(verb, help);
    return help.includes(" --all ") ? ["--all"] : [];
  };
  return {
    name,
    ask(words, home) {
      const done = spawnSync(node, [...command, ...words, ...forMachine(words[0] ?? ""), "--json"], {
        cwd: scratchDir,
        env: {
          ...process.env,
          HOME: scratchDir,
          HOLDFAST_HOME: home,
          CLAUDE_CONFIG_DIR: configDir,
          NODE_OPTIONS: "",
        },
        encoding: "utf8",
        maxBuffer: ANSWER_BYTES_MAX,
      });
      const fail = (why: string): never => {
        throw new Error(`the build ${name} gave no answer: exit code ${done.status}: ${why}`);
      };
      if (done.error) return fail(done.error.message);
      if (!done.stdout.startsWith('{"schemaVersion"')) return fail(done.stderr.trim().slice(-500));
      // Each build has a home of its own, whose path is no difference.
      const json = JSON.parse(done.stdout.replaceAll(home, "$HOLDFAST_HOME")) as { error?: unknown };
      return json.error === undefined ? { code: done.status ?? -1, json } : fail(JSON.stringify(json.error));
    },
  };
}
