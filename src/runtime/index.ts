/**
 * Owns the wiring of the parts into one object that every door uses, and the shapes that leave the process (views/).
 * Never holds logic of its own: a rule belongs in the room that it is about.
 */
export type { Runtime } from "./open-runtime.ts";
export type { Tasks } from "../tasks/open-tasks.ts";
export { isEnded } from "../tasks/record/task-state.ts";
