/**
 * Owns the MCP door: one file per tool, and the server that offers them to clients of both generations of the protocol.
 * Never holds a rule about tasks or sessions (the runtime has those), never waits longer than a client does.
 *
 * I1  A tool answers with one JSON text; a condition that the caller can handle is an answer with `error.code`.
 * I2  Nothing is written to standard output but the protocol.
 */
export { openMcpServer, type McpServerOptions } from "./open-mcp-server.ts";
export type { Tool, ToolContext } from "./tool.ts";
