import type { Command } from "../command.ts";
import { readOwnVersion } from "../own-version.ts";
import { realDir } from "../real-dir.ts";

export const command: Command = {
  examples: [
    { line: "claude mcp add holdfast -- holdfast mcp", text: "gives Claude Code the tools" },
    { line: "codex mcp add holdfast -- holdfast mcp", text: "and Codex" },
    { line: "holdfast mcp", text: "serves until standard input ends" },
  ],
  async run(context) {
    const { variables, cwd, sessionId } = context.environment;
    const { serveMcp } = await import("../../mcp/serve-mcp.ts");
    const runtime = await context.runtime();
    try {
      await serveMcp({
        runtime,
        version: readOwnVersion(),
        cwd: realDir(variables["CLAUDE_PROJECT_DIR"] || cwd),
        sessionId,
      });
    } finally {
      await runtime.close();
    }
  },
};
