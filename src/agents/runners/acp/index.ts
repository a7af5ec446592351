/**
 * Agents of the Agent Client Protocol (version 1) as a runner: Gemini, OpenCode, the adapters of Claude Code and Codex,
 * or any command. Owns the agent's process, the conversation with it, and the files and terminals that it asks for.
 * Never touches the transcript or the task: it yields events. Never decides a permission: it asks.
 *
 * I1  A tool call is yielded once and gets exactly one result, at the latest when the turn ends.
 * I2  Before a request of the agent changes a file or runs a command, everything that it reported earlier is recorded.
 * I3  The agent is read only as fast as the host records.
 * I4  When the runner has ended, the agent's process and its terminals are gone; after an abort, its whole group.
 */
export { acpRunner, type AcpRunnerOptions } from "./acp-runner.ts";
