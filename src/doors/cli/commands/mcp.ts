import { openRuntime } from "../../../runtime/open-runtime.ts";
import type { Command } from "../command.ts";
import { realDir } from "../real-dir.ts";
import { readVersion } from "../read-version.ts";

export const command: Command = {
  examples: [
    { line: "claude mcp add holdfast -- holdfast mcp", text: "gives Claude Code the tools" },
    { line: "codex mcp add holdfast -- holdfast mcp", text: "and Codex" },
    { line: "holdfast mcp", text: "serves until standard input ends" },
  ],
  async run({ environment, onIndexTrouble }) {
    const { home, configDir, variables } = environment;
    const { openMcpServer } = await import("../../mcp/open-mcp-server.ts");
    const { StdioServerTransport, serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const runtime = openRuntime({ home, configDir, env: variables, onIndexTrouble });
    try {
      const options = {
        runtime,
        version: readVersion(),
        cwd: realDir(variables["CLAUDE_PROJECT_DIR"] || environment.cwd),
        sessionId: environment.sessionId,
      };
      const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
      const handle = serveStdio(() => openMcpServer(options), { transport: new StdioServerTransport() });
      await ended;
      await handle.close();
    } finally {
      await runtime.close();
    }
  },
};
