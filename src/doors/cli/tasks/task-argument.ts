import type { CommandArgument } from "../command.ts";

export const taskArgument: CommandArgument = {
  name: "id",
  text: "a task: its id, a unique prefix, its name, or @last",
  kind: "task",
};
/** For what is only read: an agent of a client, too. */
export const readableArgument: CommandArgument = {
  ...taskArgument,
  text: "a task: its id, a unique prefix, its name, or @last; or the id of an agent that a client ran",
};
/** For what makes sense only as long as it runs. */
export const runningTaskArgument: CommandArgument = { ...taskArgument, kind: "running-task" };
export const runningTaskArguments: CommandArgument = {
  ...runningTaskArgument,
  text: "tasks: ids, unique prefixes, names, or @last",
  isVariadic: true,
};
