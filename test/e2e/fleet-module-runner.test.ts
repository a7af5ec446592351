import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openRuntime, type Runtime } from "../../src/index.ts";
import { codeOf } from "../../src/lib/errors.ts";
import { waitFor } from "../support/index.ts";
import { fleetHome, LONG, natsServer, type FleetHome } from "./fleet-cli.ts";

// Somebody's own runner: uses a tool unless that has a result already, waits for a file, and answers.
const MODULE = `
import fs from "node:fs";
import { answerOf } from "./words.mjs";
const says = (id, content, stop_reason) => ({ kind: "assistant", message: { id, model: "own", role: "assistant", type: "message",
  content: [content], stop_reason, usage: { input_tokens: 1, output_tokens: 1 } } });
export default ({ effects, gate, word }) => async function* ({ messages, askPermission }, signal) {
  if (!JSON.stringify(messages).includes("tool_result")) {
    const input = { command: "note" };
    yield says("msg_1", { type: "tool_use", id: "toolu_1", name: "Bash", input }, "tool_use");
    await askPermission({ toolUseId: "toolu_1", tool: "Bash", input, title: "Note it" }, signal);
    fs.appendFileSync(effects, "done\\n");
    yield { kind: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "noted" }] } };
  }
  while (!fs.existsSync(gate)) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  yield says("msg_2", { type: "text", text: answerOf(word) }, "end_turn");
  return { reason: "done" };
};
`;

function writeModule({ home }: FleetHome): void {
  fs.mkdirSync(path.join(home.cwd, "runners"));
  fs.writeFileSync(path.join(home.cwd, "runners/own.mjs"), MODULE);
  fs.writeFileSync(
    path.join(home.cwd, "runners/words.mjs"),
    "export const answerOf = (word) => `Said ${word}`;",
  );
}

function open({ home }: FleetHome): Runtime {
  const env = { PATH: process.env["PATH"], HOME: home.userHome };
  return openRuntime({ home: home.home, configDir: home.configDir, env });
}

describe.skipIf(natsServer === undefined)(
  "a runner of one's own on the fleet",
  () => {
    test("goes along with the folder, and on with another worker when its own is killed", async () => {
      await using fleet = await fleetHome({ lease: "2s" });
      writeModule(fleet);
      const { home } = fleet;
      await using runtime = open(fleet);
      const [effects, gate] = ["effects", "gate"].map((name) => path.join(home.userHome, name));
      const first = fleet.startWorker();
      const { record } = await runtime.fleet.start({
        prompt: "Do it",
        cwd: home.cwd,
        runner: { module: "./runners/own.mjs", options: { effects, gate, word: "hello" } },
        permission: "allow",
      });
      await waitFor(async () => (await home.holdfast("logs", record.id)).stdout.includes("noted"), LONG);
      // The worker has what it was sent; what becomes of the folder here is nothing to it.
      fs.rmSync(path.join(home.cwd, "runners"), { recursive: true });
      first.kill("SIGKILL");
      fleet.startWorker();
      fs.writeFileSync(gate!, "");
      expect(await home.holdfast("wait", record.id)).toMatchObject({ code: 0 });
      expect(await home.json("output", record.id)).toMatchObject({
        status: "completed",
        content: [{ type: "text", text: "Said hello" }],
        totalToolUseCount: 1,
      });
      expect(fs.readFileSync(effects!, "utf8")).toBe("done\n");
      expect(await home.json("fleet", "status", "--all")).toMatchObject({ handOvers: 1 });
    });

    test("is refused where it is dispatched when its file is not there", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      await using runtime = open(fleet);
      const runner = { module: "./runners/none.mjs" };
      const error: unknown = await runtime.fleet
        .start({ prompt: "Do it", cwd: home.cwd, runner })
        .catch((caught: unknown) => caught);
      expect([codeOf(error), String(error)]).toEqual([
        "runner_invalid",
        expect.stringContaining('Cannot use runner "./runners/none.mjs": there is no such file'),
      ]);
      expect(await home.json("fleet", "status", "--all")).toMatchObject({ sessions: [] });
      expect(await runtime.tasks.list({ all: true })).toEqual([]);
    });

    test("is found from a folder below the one that holds it", async () => {
      await using fleet = await fleetHome();
      writeModule(fleet);
      const { home } = fleet;
      const below = path.join(home.cwd, "below");
      fs.mkdirSync(below);
      fs.writeFileSync(path.join(below, "b.txt"), "");
      const worker = fleet.startWorker();
      await using runtime = open(fleet);
      const runner = await runtime.agents.choose({ runner: "../runners/own.mjs" }, { cwd: below });
      const options = { effects: path.join(home.userHome, "effects"), gate: home.cwd, word: "below" };
      const { record } = await runtime.fleet.start({
        prompt: "Do it",
        cwd: below,
        runner: { ...runner, options },
        permission: "allow",
      });
      await waitFor(() => worker.stdout.includes("started"), LONG);
      // Another machine has no such folder.
      fs.rmSync(path.join(home.cwd, "runners"), { recursive: true });
      expect(await home.holdfast("wait", record.id)).toMatchObject({ code: 0 });
    });
  },
  120_000,
);
