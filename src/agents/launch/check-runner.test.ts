import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { markedProcesses, taskWorld } from "../../../test/support/task-world.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { codeOf } from "../../lib/errors.ts";
import { readConversation } from "../../store/read/conversation.ts";
import { textsOf } from "./content-parts.ts";
import { portableRunner, type RunnerChoice } from "./check-runner.ts";

// A runner of somebody's own, as a module: it says hello, waits for a file, and says how it was told to end.
const MODULE = `
import fs from "node:fs";
import path from "node:path";
const usage = { input_tokens: 1, output_tokens: 1 };
const says = (id, text, stop_reason) => ({ kind: "assistant", message: { id, model: "own", role: "assistant", type: "message",
  content: [{ type: "text", text }], stop_reason, usage } });
export default ({ word }) => async function* ({ cwd, messages }) {
  yield says("m" + messages.length, "begun by " + word, null);
  while (!fs.existsSync(path.join(cwd, "go"))) await new Promise((resolve) => setTimeout(resolve, 20));
  yield says("n" + messages.length, "done by " + word, "end_turn");
  return { reason: "done" };
};
`;

async function texts(file: string): Promise<string[]> {
  const { entries } = await readConversation(file);
  return entries.flatMap((entry) =>
    "message" in entry ? textsOf((entry.message as { content: string }).content) : [],
  );
}

describe("a runner by its module", () => {
  test("runs detached, is killed and continued like any other", async () => {
    await using world = taskWorld();
    const { agents, tasks, cwd } = world;
    fs.writeFileSync(path.join(cwd, "own.mjs"), MODULE);
    const runner = { module: "./own.mjs", options: { word: "me" } };
    const task = await agents.start({ prompt: "Go", cwd, runner });
    const { transcript, runner: recorded } = task.record.agent!;
    expect(recorded).toEqual({ name: "module", module: path.join(cwd, "own.mjs"), options: { word: "me" } });
    const hasBegun = async (): Promise<boolean> =>
      fs.existsSync(transcript.path) && (await texts(transcript.path)).includes("begun by me");
    await waitFor(hasBegun, { timeoutMs: 30_000 });
    for (const pid of markedProcesses(task.record.id)) process.kill(pid, "SIGKILL");
    expect((await world.ended(task)).state).toMatchObject({ status: "failed", signal: "SIGKILL" });
    fs.writeFileSync(path.join(cwd, "go"), "");
    const next = await agents.continue(task);
    expect((await world.ended(next)).state.status).toBe("completed");
    expect((await texts(transcript.path)).at(-1)).toBe("done by me");
    expect(await tasks.output(next, { by: "test" })).toMatchObject({ content: [{ text: "done by me" }] });
  });

  test("may be a package that is found from the agent's folder, and a runner itself", async () => {
    await using world = taskWorld();
    const { agents, cwd } = world;
    const dir = path.join(cwd, "node_modules/own-runner");
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "package.json"), '{"name":"own-runner","exports":"./index.mjs"}');
    fs.writeFileSync(
      path.join(dir, "index.mjs"),
      'export default async function* () { yield { kind: "activity", text: "x" }; return { reason: "done" }; }',
    );
    const task = await agents.start({ prompt: "Go", cwd, runner: { module: "own-runner" } });
    expect((await world.ended(task)).state.status).toBe("completed");
  });

  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /it has no runner/],
    ["a function", () => {}, /it has no runner/],
    ["a name that there is not", { name: "nonsense" }, /"nonsense" is no runner/],
    ["an agent that nobody knows", { name: "acp", agent: "nobody" }, /"nobody" is not a known agent/],
    ["no command", { name: "acp" }, /no command/],
    ["no script", { name: "scripted" }, /no script/],
    ["a module that is not there", { module: "./none.mjs" }, /Cannot use runner/],
    ["a package that is not there", { module: "no-such-runner" }, /Cannot use runner/],
    ["a module that cannot be loaded", { module: "./broken.mjs" }, /broken indeed/],
    ["a module without a runner", { module: "./empty.mjs" }, /its default export is not a function/],
    ["a function that makes no runner", { module: "./maker.mjs" }, /returned no runner for the options/],
    ["options that are none", { module: "./maker.mjs", options: "x" }, /not a JSON object/],
  ])("is refused, and nothing is written, when it is %s", async (_, runner, why) => {
    await using world = taskWorld();
    const { agents, tasks, cwd, home, configDir } = world;
    fs.writeFileSync(path.join(cwd, "broken.mjs"), 'throw new Error("broken indeed");');
    fs.writeFileSync(path.join(cwd, "empty.mjs"), "export const x = 1;");
    fs.writeFileSync(path.join(cwd, "maker.mjs"), "export default () => 7;");
    const error: unknown = await agents.start({ prompt: "Go", cwd, runner: runner as RunnerChoice }).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect([codeOf(error), String(error)]).toEqual(["runner_invalid", expect.stringMatching(why)]);
    expect(await tasks.list({ all: true })).toEqual([]);
    expect([fs.existsSync(path.join(home, "tasks")), fs.existsSync(configDir)]).toEqual([false, false]);
  });
});

describe("portableRunner()", () => {
  test.each<[string, RunnerChoice, object]>([
    [
      "a file of the folder by its place in it",
      { module: "FOLDER/own.mjs", options: { a: 1 } },
      { name: "module", module: "./own.mjs", options: { a: 1 } },
    ],
    [
      "a file elsewhere as it is",
      { module: "/elsewhere/own.mjs" },
      { name: "module", module: "/elsewhere/own.mjs" },
    ],
    ["a package by its name", { module: "own-runner" }, { name: "module", module: "own-runner" }],
    ["a runner of ours by its name", { name: "anthropic" }, { name: "anthropic" }],
  ])("names %s", async (_, choice, portable) => {
    await using world = taskWorld();
    fs.writeFileSync(path.join(world.cwd, "own.mjs"), MODULE);
    const here = JSON.parse(JSON.stringify(choice).replace("FOLDER", world.cwd)) as RunnerChoice;
    expect(portableRunner(here, world.cwd)).toEqual(portable);
  });
});
