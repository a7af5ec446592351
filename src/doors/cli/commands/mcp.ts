import type { Command } from "../command.ts";
import { mayBeTerminal } from "../standard-streams.ts";
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
    if (mayBeTerminal(0) && process.stdin.isTTY)
      context.say(
        "Serving MCP on standard input and output. A client starts it by itself: claude mcp add holdfast -- holdfast mcp\nCtrl+C ends it.",
      );
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
