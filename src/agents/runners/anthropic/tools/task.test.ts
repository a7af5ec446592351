import { describe, expect, test } from "vitest";
import { callTool, failed, toolContext } from "../../../../../test/support/call-tool.ts";
import type { AgentTasks } from "../../../../tasks/ports.ts";
import { taskOutputTool } from "./task-output.ts";
import { taskStopTool } from "./task-stop.ts";
import { taskTool } from "./task.ts";
import type { ToolContext } from "./tool.ts";

interface Noted {
  context: ToolContext;
  calls: unknown[][];
}

/** Tasks that note what they are asked, and answer `output` with one of these after the other. */
function contextWith(...outputs: (object | Error)[]): Noted {
  const calls: unknown[][] = [];
  const tasks: AgentTasks = {
    startShell: () => Promise.reject(new Error("no shell here")),
    startAgent(request) {
      calls.push(["startAgent", request]);
      return Promise.resolve({ taskId: "a0123456789abcdef", outputFile: "/out" });
    },
    output(taskId, { block, timeoutMs }) {
      calls.push(["output", taskId, { block, timeoutMs }]);
      const output = outputs.shift()!;
      return output instanceof Error ? Promise.reject(output) : Promise.resolve(output);
    },
    stop(taskId) {
      calls.push(["stop", taskId]);
      return Promise.resolve({ message: "Stopped", task_id: taskId, task_type: "local_bash", command: "x" });
    },
  };
  return { context: toolContext({ tasks }), calls };
}

const totals = { totalDurationMs: 5, totalTokens: 6, totalToolUseCount: 7, usage: { input_tokens: 1 } };
const content = [{ type: "text", text: "Found it" }];
const done = {
  retrieval_status: "success",
  agentId: "a0123456789abcdef",
  status: "completed",
  content,
  ...totals,
};
const input = { description: "Find it", prompt: "Where is it?", subagent_type: "Explore" };

describe("Task", () => {
  test("waits for the answer, however long it takes", async () => {
    const waiting = { ...done, retrieval_status: "timeout", status: "running", content: [] };
    const { context, calls } = contextWith(waiting, done);
    expect(await callTool(taskTool, { ...input, model: "haiku" }, context)).toEqual({
      content,
      toolUseResult: {
        status: "completed",
        prompt: "Where is it?",
        agentId: "a0123456789abcdef",
        agentType: "Explore",
        content,
        ...totals,
      },
    });
    const wait = ["output", "a0123456789abcdef", { block: true, timeoutMs: 600_000 }];
    expect(calls).toEqual([
      [
        "startAgent",
        {
          prompt: "Where is it?",
          description: "Find it",
          toolUseId: "toolu_1",
          type: "Explore",
          model: "haiku",
        },
      ],
      wait,
      wait,
    ]);
  });

  test("goes on at once in the background", async () => {
    const { context, calls } = contextWith();
    expect(await callTool(taskTool, { ...input, run_in_background: true }, context)).toEqual({
      content: [
        {
          type: "text",
          text: expect.stringMatching(
            /^Async agent launched successfully\.\nagentId: a0123456789abcdef\noutput_file: \/out\n/,
          ),
        },
      ],
      toolUseResult: {
        isAsync: true,
        status: "async_launched",
        agentId: "a0123456789abcdef",
        description: "Find it",
        prompt: "Where is it?",
        outputFile: "/out",
      },
    });
    expect(calls.map(([name]) => name)).toEqual(["startAgent"]);
  });

  test("tells how an agent failed", async () => {
    const { context } = contextWith({ ...done, status: "failed", error: "no money" });
    expect(await callTool(taskTool, input, context)).toEqual(
      failed("The agent (a0123456789abcdef) failed: no money\nFound it"),
    );
  });

  test("stops the agent when it is interrupted", async () => {
    const stop = new AbortController();
    const { context, calls } = contextWith();
    const output = (): Promise<object> => {
      stop.abort(new Error("enough"));
      return Promise.reject(new Error("enough"));
    };
    const tasks = { ...context.tasks, output };
    expect(await callTool(taskTool, input, { ...context, tasks, signal: stop.signal })).toEqual(
      failed("Interrupted: the agent was stopped before it answered"),
    );
    expect(calls.at(-1)).toEqual(["stop", "a0123456789abcdef"]);
  });
});

describe("TaskOutput", () => {
  test("gives state and output of a command", async () => {
    const { context, calls } = contextWith({
      retrieval_status: "success",
      shellId: "b12345678",
      status: "failed",
      exitCode: 2,
      stdout: "so far\n",
      stderr: "why\n",
    });
    expect(await callTool(taskOutputTool, { task_id: "b12345678", block: false }, context)).toEqual({
      content:
        "<retrieval_status>success</retrieval_status>\n\n<task_id>b12345678</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>failed</status>\n\n<exit_code>2</exit_code>\n\n<output>\nso far\nwhy\n</output>",
      toolUseResult: {
        retrieval_status: "success",
        task: {
          task_id: "b12345678",
          task_type: "local_bash",
          status: "failed",
          output: "so far\nwhy",
          exitCode: 2,
        },
      },
    });
    expect(calls).toEqual([["output", "b12345678", { block: false, timeoutMs: 30_000 }]]);
  });

  test("gives the answer of an agent", async () => {
    const { context } = contextWith(done);
    const outcome = await callTool(taskOutputTool, { task_id: "a0123456789abcdef" }, context);
    expect(outcome.toolUseResult).toEqual({
      retrieval_status: "success",
      task: {
        task_id: "a0123456789abcdef",
        task_type: "local_agent",
        status: "completed",
        output: "Found it",
      },
    });
  });
});

test("TaskStop stops, and keeps what the client keeps", async () => {
  const { context, calls } = contextWith();
  expect(await callTool(taskStopTool, { task_id: "b12345678" }, context)).toEqual({
    content: "Stopped",
    toolUseResult: { message: "Stopped", task_id: "b12345678", task_type: "local_bash", command: "x" },
  });
  expect(calls).toEqual([["stop", "b12345678"]]);
});
