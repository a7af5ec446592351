import type { CommandArgument } from "../../command.ts";

/** How the commands of the fleet are told which session is meant. */
export const runArgument: CommandArgument = {
  name: "session",
  text: "a session of the fleet: its id, a unique beginning, or the URL of its log",
  kind: "run",
};
