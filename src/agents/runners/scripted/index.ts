/**
 * Owns the runner that plays a script.
 * Never talks to a model and never touches the transcript: it yields what the script says.
 */
export { scriptedRunner } from "./scripted-runner.ts";
export type { Script, ScriptStep } from "./script.ts";
