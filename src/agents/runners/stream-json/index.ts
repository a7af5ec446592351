/**
 * Programs that print what they do as JSON, one object a line, as a runner: `claude -p`, `codex exec --json`, or any
 * command with a mapping. Owns the program's process and the meaning of its lines.
 * Never touches the transcript or the task: it yields events. Never decides a permission: it asks.
 *
 * I1  A line that cannot be understood is passed over; only the program's ending, or its own word, is a failure.
 * I2  The next line is read when what the last one told is recorded.
 * I3  When the runner has ended, the program is gone; after an abort that it did not follow, its whole group.
 */
export { streamJsonRunner, type StreamJsonRunnerOptions } from "./stream-json-runner.ts";
export type { MappedCommand } from "./one-way-conversation.ts";
export { plainMapping, type LineMapping } from "./mapped-lines.ts";
