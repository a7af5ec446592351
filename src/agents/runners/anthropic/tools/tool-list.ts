import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { readTool } from "./read.ts";
import { taskOutputTool } from "./task-output.ts";
import { taskStopTool } from "./task-stop.ts";
import { taskTool } from "./task.ts";
import { todoWriteTool } from "./todo-write.ts";
import type { Tool } from "./tool.ts";
import { writeTool } from "./write.ts";

/** In the order in which the model sees them, which never changes: the API caches them. */
const allTools: readonly Tool[] = [
  bashTool,
  readTool,
  writeTool,
  editTool,
  globTool,
  grepTool,
  todoWriteTool,
  taskTool,
  taskOutputTool,
  taskStopTool,
];

/** The tools that an agent may use. Names of tools that we do not have mean nothing; newer clients call Task Agent. */
export function toolsNamed(names: readonly string[] | undefined): readonly Tool[] {
  if (names === undefined) return allTools;
  const wanted = new Set(names.map((name) => (name === "Agent" ? taskTool.name : name)));
  return allTools.filter(({ name }) => wanted.has(name));
}
