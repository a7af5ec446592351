/**
 * Carried by everything that a command of an agent's Bash tool starts, so that an interrupted one can be ended with all of
 * it. A task that such a command launches drops it: tasks outlive who started them.
 */
export const commandMarker = "HOLDFAST_COMMAND_ID";
