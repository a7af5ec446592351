/**
 * The types of agents, by name: built-in ones, and those in `agents/*.md` of project and user.
 * Owns what such a file means. Never writes one, and never fails because of one: a bad file is reported.
 *
 * I1  A project's own type wins over the user's, and both over the built-in one of the same name.
 */
export { getAgentType, readAgentTypes } from "./find-agent-type.ts";
export { builtInAgentTypes } from "./built-in.ts";
