/** What `wait` of the MCP server waits at most: clients give a call up after a minute. */
export const mcpWaitMsMax = 50_000;
