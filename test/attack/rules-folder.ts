import fs from "node:fs";
import path from "node:path";
import { openRulePlace, type RulePlace } from "../../src/agents/rules/rule-place.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The folder in which attempts of the corpus are made; nothing in it is worth keeping. */
export function rulesFolder(): RulePlace {
  const dir = tempDir();
  const cwd = path.join(dir, "project");
  const userHome = path.join(dir, "home");
  for (const folder of [
    "project/src/b",
    "project/src/generated",
    "project/private",
    "project/sub",
    "elsewhere",
    "home/.ssh",
  ])
    fs.mkdirSync(path.join(dir, folder), { recursive: true });
  for (const file of [".env", "private/key", "src/a.ts", "src/generated/a", "sub/.env"])
    fs.writeFileSync(path.join(cwd, file), "secret\n");
  for (const [link, target] of [
    ["inside", ".."],
    ["key", "../.env"],
    ["out", "../../elsewhere"],
    ["new", "../fresh"],
  ] as const)
    fs.symlinkSync(target, path.join(cwd, "src", link));
  // Other names of the same files.
  fs.linkSync(path.join(cwd, ".env"), path.join(cwd, "src/hard"));
  fs.linkSync(path.join(cwd, "private/key"), path.join(cwd, "src/hardkey"));
  return openRulePlace({ cwd, userHome, hasBash: true });
}
