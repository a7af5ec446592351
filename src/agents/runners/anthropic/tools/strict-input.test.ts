import { expect, test } from "vitest";
import { toolsNamed } from "./tool-list.ts";

const inputs: Record<string, Record<string, unknown>> = {
  Bash: { command: "ls" },
  Read: { file_path: ".env" },
  Write: { file_path: "a", content: "" },
  Edit: { file_path: "a", old_string: "a", new_string: "b" },
  Glob: { pattern: "*" },
  Grep: { pattern: "x" },
  TodoWrite: { todos: [] },
  Task: { description: "x", prompt: "x" },
  TaskOutput: { task_id: "b1" },
  TaskStop: { task_id: "b1" },
};

test.each(toolsNamed(undefined).map((tool) => [tool.name, tool] as const))(
  "%s refuses a key that it does not know, before anything is judged",
  (name, tool) => {
    const input = inputs[name]!;
    expect(tool.prepare(input)).toMatchObject({ input });
    // A key that another tool uses, and one that nobody does.
    for (const key of ["notebook_path", "nonsense"])
      expect(tool.prepare({ ...input, [key]: "src/**" })).toEqual({
        refusal: expect.stringContaining(`The input of ${name} is not valid`) as string,
      });
  },
);
