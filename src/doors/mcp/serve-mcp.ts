import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { openMcpServer, type McpServerOptions } from "./open-mcp-server.ts";

/** Serves on standard input and output until the client closes them. */
export async function serveMcp(options: McpServerOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
  const handle = serveStdio(() => openMcpServer(options), { transport: new StdioServerTransport() });
  await ended;
  await handle.close();
}
