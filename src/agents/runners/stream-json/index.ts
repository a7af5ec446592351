/**
 * Programs that print JSON, one object per line, as a runner: `claude -p`, `codex exec --json`, or any
 * command with a mapping. Owns the program's process and the meaning of its lines.
 * Never touches the transcript or the task: it yields events. Never decides a permission: it asks.
 *
 * I1  A line that cannot be understood is ignored; only the program's ending, or an error that it reports, is a failure.
 * I2  The next line is read when the content of the last one is recorded.
 * I3  When the runner has ended, the program is gone; if it ignored an abort, its whole process group is gone.
 */
export { streamJsonRunner, type StreamJsonRunnerOptions } from "./stream-json-runner.ts";
export type { MappedCommand } from "./one-way-conversation.ts";
export { plainMapping, type LineMapping } from "./mapped-lines.ts";
