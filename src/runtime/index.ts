/**
 * Owns the wiring of the parts into one object that every door uses.
 * Never holds logic of its own: a rule that is found here belongs into the part it is about.
 */
export type { Runtime } from "./open-runtime.ts";
