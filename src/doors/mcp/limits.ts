/** What `wait` of the MCP server waits at most: clients give a call up after a minute. */
export const mcpWaitMsMax = 50_000;
/** Bytes of one message of a client: the largest arguments are prompts and commands. */
export const mcpMessageBytesMax: number = 10 * 1024 * 1024;
