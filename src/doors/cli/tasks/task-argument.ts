import type { CommandArgument } from "../command.ts";

export const taskArgument: CommandArgument = {
  name: "id",
  text: "a task: its id, a unique prefix, its name, or @last",
  kind: "task",
};
export const taskArguments: CommandArgument = {
  ...taskArgument,
  name: "id",
  text: "tasks: ids, unique prefixes, names, or @last",
  isVariadic: true,
};
