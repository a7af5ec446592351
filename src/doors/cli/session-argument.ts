import type { CommandArgument } from "./command.ts";

/** How every command is told which session is meant. */
export const sessionArgument: CommandArgument = {
  name: "id",
  text: "a session id or a unique beginning of one, @last for the newest, or the path of a transcript",
  kind: "session",
};
