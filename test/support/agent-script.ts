import fs from "node:fs";
import path from "node:path";
import type { Script, ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import type { RunnerSpec } from "../../src/tasks/kinds/agent/agent-settings.ts";

let written = 0;

/** Writes a script where an agent finds it, and says how to run it. */
export function writeScript({ cwd }: { cwd: string }, script: Script | ScriptStep[]): RunnerSpec {
  const file = path.join(cwd, `script-${written++}.json`);
  fs.writeFileSync(file, JSON.stringify(script));
  return { name: "scripted", script: file };
}
