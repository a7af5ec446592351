import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { mcpMessageBytesMax } from "./limits.ts";
import { messageLines } from "./message-lines.ts";
import { openMcpServer, type McpServerOptions } from "./open-mcp-server.ts";

/** Serves on standard input and output until the client closes them. */
export async function serveMcp(options: McpServerOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
  const { stdin, stdout } = process;
  const lines = stdin.pipe(messageLines((line) => void stdout.write(line)));
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize: 2 * mcpMessageBytesMax });
  const handle = serveStdio(() => openMcpServer(options), { transport });
  await ended;
  await handle.close();
}
