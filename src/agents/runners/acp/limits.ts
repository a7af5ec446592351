/** Events that wait to be recorded before the agent is no longer read: it then waits, instead of filling memory. */
export const agentEventsQueuedMax = 1000;
/** Time to answer the first requests of the protocol; a cold start on a loaded machine takes tens of seconds. */
export const agentStartMs = 120_000;
/** Largest text file that is read for an agent, whole or by lines. */
export const agentFileBytesMax: number = 64 * 1024 * 1024;
/** Output of a terminal that is kept for an agent, its end; the agent may ask for less. */
export const agentTerminalBytesMax: number = 1024 * 1024;
/** Terminals that an agent has at a time; each is a process. */
export const agentTerminalsMax = 100;
/** How long is waited for what an agent writes into its own session about a turn that it has answered. */
export const ownSessionMs = 1000;
