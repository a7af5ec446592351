import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  resultsIn,
  runAnthropic,
  textsIn,
  type AnthropicRun,
} from "../../../../test/support/anthropic-run.ts";
import { tempDir, waitFor, type MessagesStep } from "../../../../test/support/index.ts";
import { taskWorld } from "../../../../test/support/task-world.ts";
import { startTimeOf } from "../../../lib/process-identity.ts";
import type { AgentTasks, ContentPart, RunnerEvent } from "../../../tasks/ports.ts";

const reason = new Error("enough");
const interrupted = "Interrupted: this was not run";

function usesIn(events: readonly RunnerEvent[]): ContentPart[] {
  return events.flatMap((event) =>
    event.kind === "assistant" ? event.message.content.filter(({ type }) => type === "tool_use") : [],
  );
}

/** Every use that was told has exactly one result, in the same order. */
function expectOneResultEach({ events }: AnthropicRun): void {
  expect(resultsIn(events).map((result) => result["tool_use_id"])).toEqual(
    usesIn(events).map(({ id }) => id),
  );
}

const bash = (command: string): { tool: string; input: object } => ({ tool: "Bash", input: { command } });

/** Tasks whose agents never answer, until somebody gives up. */
function silentTasks(stopped: string[]): AgentTasks {
  const never = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  return {
    startShell: () => Promise.reject(new Error("no shell here")),
    startAgent: () => Promise.resolve({ taskId: "a1", outputFile: "/out" }),
    output: (_taskId, { signal }) => never(signal),
    stop(taskId) {
      stopped.push(taskId);
      return Promise.resolve({});
    },
  };
}

describe("runTools() at the signal", () => {
  const script: MessagesStep[] = [
    {
      kind: "answer",
      content: [
        { thinking: "Hm" },
        "Let me see",
        bash("echo 1 >> ran"),
        { tool: "Glob", input: { pattern: "*" } },
        { tool: "Grep", input: { pattern: "1" } },
        bash("echo 2 >> ran"),
        { tool: "TodoWrite", input: { todos: [] } },
      ],
    },
    { kind: "answer", content: ["Again", bash("echo 3 >> ran")] },
    "Done",
  ];

  test("answers every use, wherever it comes", async () => {
    const whole = await runAnthropic(script);
    expectOneResultEach(whole);
    expect(whole.end).toEqual({ reason: "done" });
    for (let stage = 1; stage <= whole.events.length; stage++) {
      const stop = new AbortController();
      let seen = 0;
      const ran = await runAnthropic(script, {
        signal: stop.signal,
        onEvent: () => (++seen === stage ? stop.abort(reason) : undefined),
      });
      expectOneResultEach(ran);
      // One whose last message had arrived by then has nothing to break off.
      expect(ran.error).toBe(textsIn(ran.events).at(-1) === "Done" ? undefined : reason);
      const commands = fs.existsSync(path.join(ran.cwd, "ran"))
        ? fs.readFileSync(path.join(ran.cwd, "ran"), "utf8").split("\n").length - 1
        : 0;
      const successes = resultsIn(ran.events).filter(({ content }) => content === "(no output)").length;
      expect(commands).toBe(successes);
    }
  });

  test("ends a command that runs, and does not begin the next", async () => {
    const cwd = tempDir();
    const stop = new AbortController();
    const file = path.join(cwd, "pid");
    const running = runAnthropic(
      [{ kind: "answer", content: [bash(`echo $$ > pid; exec sleep 1000`), bash("echo > ran")] }],
      { cwd, signal: stop.signal },
    );
    const pid = await waitFor(
      () => fs.existsSync(file) && Number(fs.readFileSync(file, "utf8")) > 0 && Number(fs.readFileSync(file)),
    );
    stop.abort(reason);
    const ran = await running;
    expect(ran.error).toBe(reason);
    expect(resultsIn(ran.events).map(({ content }) => content)).toEqual([
      "Interrupted: the command was stopped before it ended",
      interrupted,
    ]);
    expect(startTimeOf(pid)).toBeUndefined();
    expect(fs.existsSync(path.join(cwd, "ran"))).toBe(false);
  });

  test("stops waiting for permission", async () => {
    const stop = new AbortController();
    const ran = await runAnthropic([{ kind: "answer", content: [bash("echo > ran"), bash("echo > ran")] }], {
      signal: stop.signal,
      answer: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          stop.abort(reason);
        }),
    });
    expectOneResultEach(ran);
    expect(ran.asked).toHaveLength(1);
    expect(resultsIn(ran.events).map(({ content }) => content)).toEqual([interrupted, interrupted]);
    expect(fs.readdirSync(ran.cwd)).toEqual([]);
  });

  test("does not run what was allowed too late", async () => {
    const stop = new AbortController();
    const ran = await runAnthropic([{ kind: "answer", content: [bash("echo > ran")] }], {
      signal: stop.signal,
      answer: () => {
        stop.abort(reason);
        return { behavior: "allow" };
      },
    });
    expect(resultsIn(ran.events)).toMatchObject([{ content: interrupted, is_error: true }]);
    expect(fs.readdirSync(ran.cwd)).toEqual([]);
  });

  test("stops the agents that were waited for", async () => {
    const stop = new AbortController();
    const stopped: string[] = [];
    const agent = { tool: "Task", input: { description: "Look", prompt: "Look there" } };
    const tasks = silentTasks(stopped);
    let waiting = 0;
    const ran = await runAnthropic([{ kind: "answer", content: [agent, agent] }], {
      signal: stop.signal,
      tasks: {
        ...tasks,
        output(taskId, options) {
          const output = tasks.output(taskId, options);
          // Both wait at the same time, or this test would not end.
          if (++waiting === 2) stop.abort(reason);
          return output;
        },
      },
    });
    expectOneResultEach(ran);
    expect(stopped).toEqual(["a1", "a1"]);
  });
});

describe("runTools()", () => {
  test("tells the model when nobody can be asked, and when a tool breaks", async () => {
    const ran = await runAnthropic(
      [
        { kind: "answer", content: [bash("echo > ran")] },
        { kind: "answer", content: [{ tool: "TaskOutput", input: { task_id: "b1" } }] },
        "Done",
      ],
      {
        answer: () => {
          throw new Error("the door is closed");
        },
      },
    );
    expect(resultsIn(ran.events)).toMatchObject([
      { content: "Nobody could be asked for permission: the door is closed", is_error: true },
      { content: "This test has no tasks", is_error: true },
    ]);
    expect(ran.end).toEqual({ reason: "done" });
  });

  test("starts commands in the background that outlive the run, and reads and stops them", async () => {
    await using world = taskWorld();
    const tasks: AgentTasks = {
      ...silentTasks([]),
      async startShell(request) {
        const { record, files } = await world.tasks.start(request);
        return { taskId: record.id, outputFile: files.output };
      },
      output: async (taskId, options) =>
        world.tasks.output(await world.tasks.find(taskId), { ...options, by: "test" }),
      async stop(taskId) {
        const { status } = await world.tasks.stop(await world.tasks.find(taskId), {
          by: "test",
          graceMs: 100,
        });
        return { message: `It is ${status}` };
      },
    };
    const background = (command: string): MessagesStep => ({
      kind: "answer",
      content: [{ tool: "Bash", input: { command, run_in_background: true } }],
    });
    let ids: string[] = [];
    const ran = await runAnthropic(
      [
        background("echo hello"),
        background("sleep 1000"),
        ({ body }) => {
          ids = JSON.stringify(body.messages).match(/(?<=ID: )b[0-9a-z]{8}/g)!;
          return {
            kind: "answer",
            content: [
              { tool: "TaskOutput", input: { task_id: ids[0] } },
              { tool: "TaskOutput", input: { task_id: ids[1], block: false } },
              { tool: "TaskStop", input: { task_id: ids[1] } },
            ],
          };
        },
        "Done",
      ],
      { cwd: world.cwd, tasks },
    );
    const [, , first, second, third] = resultsIn(ran.events).map(({ content }) => content);
    expect(first).toMatch(/success[^]*completed[^]*<exit_code>0[^]*\nhello\n/);
    expect(second).toMatch(/not_ready[^]*running/);
    expect(third).toBe("It is stopped");
  });
});
