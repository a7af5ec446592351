import { z } from "zod";
import { defineTool, type Tool } from "./tool.ts";

export const todoWriteTool: Tool = defineTool({
  name: "TodoWrite",
  description: `Writes your to-do list, whole, where the person sees it. Use it for work of three steps and more: one step in_progress at a time, completed as soon as it is.`,
  schema: z.object({
    todos: z
      .array(
        z.object({
          content: z.string().min(1).describe("What is to be done: Run the tests"),
          status: z.enum(["pending", "in_progress", "completed"]),
          activeForm: z.string().min(1).describe("The same while it is being done: Running the tests"),
        }),
      )
      .describe("The whole list; it replaces the one before"),
  }),
  title: ({ todos }) => `Write a list of ${todos.length} to-dos`,
  run({ todos: newTodos }, { todos }) {
    const oldTodos = todos.current;
    todos.current = newTodos;
    return Promise.resolve({
      content: "The list is kept. Go on with the step that is in progress.",
      toolUseResult: { oldTodos, newTodos },
      todos: newTodos,
    });
  },
});
