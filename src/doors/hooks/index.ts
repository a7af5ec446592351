/**
 * Owns the answers to a client's hook events: it records launches and endings of background work, says before the same
 * work is launched again, and gives a session that begins its brief. Claude Code and Codex send the same shapes.
 * Never parses prose (only structured fields, and the client's own notification), never blocks the client.
 *
 * I1  The process ends with 0 and silence whatever goes wrong; the error is in the home's hook-errors.log.
 * I2  Time and memory are bounded: input, manifest, log and looks have limits.
 * I3  A tool call that launches nothing loads nothing beyond this folder's first files.
 * I4  An ending is told once to whom it concerns: what a brief tells is recorded as seen, notices are taken first.
 */
export { runHook, type HookAnswer, type HookOutput } from "./run-hook.ts";
export type { HookWorld } from "./hook-world.ts";
