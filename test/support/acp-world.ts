import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { AcpRunnerOptions } from "../../src/agents/runners/acp/index.ts";
import { tempDir } from "./temp-dir.ts";

const program = fileURLToPath(new URL("../programs/acp-agent.ts", import.meta.url));

export interface AcpWorld {
  cwd: string;
  /** What the agent noted that it was asked. */
  log: () => string[];
  options: AcpRunnerOptions;
}

/** A folder, and an agent that speaks ACP and behaves as these modes say. */
export function acpWorld(...modes: string[]): AcpWorld {
  const cwd = tempDir();
  const file = path.join(cwd, "agent.log");
  return {
    cwd,
    log: () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8").trimEnd().split("\n") : []),
    options: {
      command: process.execPath,
      args: ["--disable-warning=ExperimentalWarning", program, ...modes],
      env: { ACP_AGENT_LOG: file },
    },
  };
}
