import fs from "node:fs";
import path from "node:path";
import type { NeededInput } from "../../src/tasks/kinds/agent/agent-progress.ts";
import { describe, expect, test } from "vitest";
import type { ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import { writeScript } from "../support/agent-script.ts";
import { startMessagesServer } from "../support/messages-server.ts";
import { waitFor } from "../support/index.ts";
import { markedProcesses } from "../support/task-world.ts";
import { run } from "./cli.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

interface TaskJson {
  id: string;
  kind: string;
  status: string;
  agentId: string;
  outputFile: string;
  pid: number | null;
  transcript: { path: string; sessionId: string; agentId?: string };
  progress: { needsInput?: NeededInput } | null;
  reason?: string;
}

const script = (home: TaskHome, ...steps: ScriptStep[]): string[] => [
  "--script",
  writeScript(home, steps).script!,
];

async function startAgent(home: TaskHome, steps: ScriptStep[], ...args: string[]): Promise<string> {
  const { stdout, stderr } = await home.holdfast("agent", ...script(home, ...steps), ...args, "Look around");
  if (stdout === "") throw new Error(`Cannot start agent: ${stderr}`);
  return stdout.trim();
}

const inspect = (home: TaskHome, id: string): Promise<TaskJson> => home.json<TaskJson>("inspect", id);

/** Waits until it asks something; gives the id of the question. */
async function asks(home: TaskHome, id: string): Promise<string> {
  const asked = await waitFor(async () => (await inspect(home, id)).progress?.needsInput);
  return asked.requestId;
}

describe("holdfast agent", () => {
  test("says in one sentence which ways there are when there is no agent", async () => {
    await using home = taskHome({ PATH: "/nowhere" });
    const { code, stderr } = await home.holdfast("agent", "Look around");
    expect([code, stderr]).toEqual([
      4,
      "holdfast: Cannot choose an agent: set ANTHROPIC_API_KEY, or put one of claude, codex, gemini, opencode, copilot, qwen, pi on your PATH, or name any ACP agent with --command\n",
    ]);
  });

  test("prints the id at once, and its answer is found by who comes later", async () => {
    await using home = taskHome();
    const id = await startAgent(home, [{ text: "First this." }, { text: "Then the answer." }]);
    expect(id).toMatch(/^a[0-9a-f]{16}$/);
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect((await home.holdfast("output", id)).stdout).toBe("Then the answer.\n");
    expect(await home.json("output", id)).toMatchObject({
      schemaVersion: 1,
      retrieval_status: "success",
      agentId: id,
      status: "completed",
      content: [{ type: "text", text: "Then the answer." }],
      totalDurationMs: expect.any(Number),
      totalTokens: 0,
      totalToolUseCount: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    const logs = await home.holdfast("logs", id);
    expect(logs.stdout).toContain("❯ Look around");
    expect(logs.stdout).toContain("First this.");
    const { outputFile, transcript } = await inspect(home, id);
    expect(fs.readlinkSync(outputFile)).toBe(transcript.path);
  });

  test("without a session it is a session of its own; with one it is a sub-agent of it", async () => {
    await using home = taskHome();
    const alone = JSON.parse(await startAgent(home, [{ text: "Done." }], "--wait", "--json")) as TaskJson;
    expect(path.basename(alone.transcript.path)).toBe(`${alone.transcript.sessionId}.jsonl`);
    const { sessions } = await home.json<{ sessions: { sessionId: string; firstPrompt: string }[] }>(
      "sessions",
    );
    expect(sessions).toMatchObject([{ sessionId: alone.transcript.sessionId, firstPrompt: "Look around" }]);
    const sessionId = "11111111-2222-4333-8444-555555555555";
    const { stdout } = await home.holdfast(
      "agent",
      ...script(home, { text: "Done." }),
      "--session",
      sessionId,
      "--wait",
      "--json",
      "Look around",
    );
    const sub = JSON.parse(stdout) as TaskJson;
    expect(sub.transcript.path).toMatch(new RegExp(`${sessionId}/subagents/agent-${sub.id}\\.jsonl$`));
  });

  test("started by a command of a client it is a sub-agent of that session, so that the client goes on with its own", async () => {
    await using home = taskHome();
    const words = ["agent", ...script(home, { text: "Done." }), "--wait", "--json", "Look around"];
    const { stdout } = await run(words, { home, env: { CLAUDE_CODE_SESSION_ID: "s-1" } });
    const { transcript } = JSON.parse(stdout) as TaskJson;
    expect(transcript.path).toContain("/s-1/subagents/");
    expect(await home.json("sessions")).toMatchObject({ sessions: [] });
  });

  test("waits for its answer when asked to, with the exit code of what became of it", async () => {
    await using home = taskHome();
    const good = await home.holdfast("agent", ...script(home, { text: "Yes." }), "--wait", "Is it?");
    expect([good.code, good.stdout]).toEqual([0, "Yes.\n"]);
    const bad = await home.holdfast("agent", ...script(home, { fail: "out of ideas" }), "--wait", "Is it?");
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^Task a\w+ failed \(agent-error\): .+\. What it did: holdfast logs a\w+$/m);
    // Who waited for the answer has been told of the ending.
    expect(await home.json("notices")).toMatchObject({ notices: [] });
  });

  test("a limit ends it, and says which one", async () => {
    await using home = taskHome();
    const steps = [{ repeat: 9, steps: [{ tool: "Look", result: "nothing" }] }];
    const id = await startAgent(home, steps, "--max-turns", "3");
    await home.holdfast("wait", id);
    expect(await inspect(home, id)).toMatchObject({ status: "failed", reason: "turns" });
  });
});

describe("an agent that asks", () => {
  test("is shown by ps, and goes on when it is approved", async () => {
    await using home = taskHome();
    const id = await startAgent(home, [{ run: "echo done > made" }, { text: "Made." }]);
    const request = await asks(home, id);
    const { stdout } = await home.holdfast("ps");
    expect(stdout).toContain("needs input");
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(false);
    const { stderr } = await home.holdfast("approve", id, "--request", request);
    expect(stderr).toBe("Allowed: Run echo done > made\n");
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect(fs.readFileSync(path.join(home.cwd, "made"), "utf8")).toBe("done\n");
    const again = await home.holdfast("approve", id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("Cannot answer")]);
  });

  test("is shown with all it would do, and takes no answer to an earlier question", async () => {
    await using home = taskHome();
    const steps: ScriptStep[] = [
      { run: "echo harmless" },
      { run: "echo DANGEROUS > made" },
      { text: "Done." },
    ];
    const id = await startAgent(home, steps);
    await asks(home, id);
    const question = async (): Promise<NeededInput> => (await inspect(home, id)).progress!.needsInput!;
    const { requestId: first, input } = await question();
    expect(input).toEqual({ command: "echo harmless" });
    expect((await home.holdfast("inspect", id)).stdout).toContain(
      `holdfast approve ${id} --request ${first}`,
    );
    expect((await home.holdfast("approve", id, "--request", first)).code).toBe(0);
    await waitFor(async () => ![undefined, first].includes((await question())?.requestId));
    // Meant for the first one.
    const late = await home.holdfast("approve", id, "--request", first);
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining(`, not "${first}"`)]);
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(false);
    const listed = await home.json<{ tasks: TaskJson[] }>("ps");
    expect(JSON.stringify(listed)).toContain("echo DANGEROUS > made");
    const { requestId: second } = await question();
    expect((await home.holdfast("deny", id, "--request", second)).code).toBe(0);
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(false);
  });

  test("is not answered by who was not shown the question and does not name it", async () => {
    await using home = taskHome();
    const id = await startAgent(home, [{ run: "echo done > made" }, { text: "Then not." }]);
    const request = await asks(home, id);
    for (const args of [
      ["approve", id, "--always"],
      ["approve", id, "--always", "--yes"],
    ]) {
      const { code, stderr } = await home.holdfast(...args);
      expect([code, stderr.split("\n")]).toEqual([
        2,
        [
          `Run echo done > made (Bash, question ${request})`,
          "  echo done > made",
          `holdfast: Cannot answer task "${id}": name the question with --request`,
          `Try: holdfast approve ${id} --always --request ${request}`,
          "",
        ],
      ]);
    }
    expect(await home.json("deny", id, "--reason", "too early")).toMatchObject({
      error: {
        code: "usage",
        needsInput: { requestId: request, input: { command: "echo done > made" } },
        suggestion: { verb: "deny", args: [id], options: { reason: "too early", request } },
      },
    });
    expect((await home.holdfast("deny", id, "--request", request)).code).toBe(0);
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(false);
  });

  test.each([["wait"], ["output"], ["logs", "-f"]])(
    "is told to whoever waits for it: %s",
    async (...words) => {
      await using home = taskHome();
      const id = await startAgent(home, [{ run: "echo done > made" }, { text: "Then not." }]);
      const request = await asks(home, id);
      const terminal = home.spawnOnTerminal([...words, id]);
      await terminal.shows(
        `Task ${id} asks: Run echo done > made\r\nAnswer in another terminal: holdfast approve ${id}\r\n`,
      );
      const waiting = home.spawn(...words, id);
      await waiting.says(`holdfast approve ${id} --request ${request}\n`);
      expect((await home.holdfast("deny", id, "--request", request)).code).toBe(0);
      expect(await terminal.ended()).toBe(0);
      expect((await waiting.ended()).stderr.match(/asks:/g)).toHaveLength(1);
    },
  );

  test("is shown on a terminal before it is answered, and the answer is to what was shown", async () => {
    await using home = taskHome();
    const steps: ScriptStep[] = [
      { run: "echo harmless" },
      { run: "echo DANGEROUS > made" },
      { text: "Done." },
    ];
    const id = await startAgent(home, steps);
    const first = await asks(home, id);
    const no = home.spawnOnTerminal(["approve", id]);
    await no.shows("echo harmless");
    await no.shows("Allow this? [y/N]");
    no.type("\r");
    expect(await no.ended()).toBe(0);
    const yes = home.spawnOnTerminal(["approve", id]);
    await yes.shows("Allow this? [y/N]");
    // Somebody else is faster, and the agent asks something else by now.
    const requestId = async (): Promise<string | undefined> =>
      (await inspect(home, id)).progress?.needsInput?.requestId;
    expect((await home.holdfast("approve", id, "--request", first)).code).toBe(0);
    await waitFor(async () => ![undefined, first].includes(await requestId()));
    yes.type("y\r");
    expect(await yes.ended()).toBe(5);
    expect((await home.holdfast("deny", id, "--request", await asks(home, id))).code).toBe(0);
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(false);
  });

  test("goes on without it when it is denied", async () => {
    await using home = taskHome();
    const id = await startAgent(home, [{ run: "echo done > made" }, { text: "Then not." }]);
    const request = await asks(home, id);
    expect(await home.json("deny", id, "--request", request, "--reason", "too early")).toMatchObject({
      answer: "deny",
      tool: "Bash",
    });
    await home.holdfast("wait", id);
    expect((await home.holdfast("output", id)).stdout).toBe("Then not.\n");
    expect((await home.holdfast("show", (await inspect(home, id)).transcript.sessionId)).stdout).toContain(
      "too early",
    );
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(false);
  });

  test("is stopped like any task, with whatever it had started", async () => {
    await using home = taskHome();
    const id = await startAgent(home, [{ run: "sleep 300" }], "--permission", "allow");
    await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("sleep 300"));
    expect((await home.holdfast("stop", id)).code).toBe(0);
    expect(await inspect(home, id)).toMatchObject({ status: "stopped" });
    expect(markedProcesses(id)).toEqual([]);
  });
});

describe("an agent that others talk to", () => {
  test("hears at its next turn what is sent to it", async () => {
    await using home = taskHome();
    const id = await startAgent(home, [{ text: "I listen." }, { hear: true }]);
    await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("I listen."));
    expect((await home.holdfast("send", id, "the sky is blue")).code).toBe(0);
    await home.holdfast("wait", id);
    expect((await home.holdfast("output", id)).stdout).toContain("the sky is blue");
  });

  test("shows what it does to who follows, until it ends", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "gate");
    const id = await startAgent(home, [{ text: "Before." }, { waitFor: gate }, { text: "After." }]);
    const follower = home.spawn("logs", "-f", id);
    await waitFor(() => follower.stdout.includes("Before."));
    expect(follower.stdout).not.toContain("After.");
    fs.writeFileSync(gate, "");
    const { code, stdout } = await follower.ended();
    expect(code).toBe(0);
    expect(stdout).toMatch(/Before\.[^]*After\./);
  });
});

describe("holdfast resume", () => {
  test("goes on where the transcript of a killed host ends, and tells its end once", async () => {
    await using home = taskHome();
    const gate = path.join(home.cwd, "gate");
    const steps = [{ run: "echo ran >> ran" }, { waitFor: gate }, { text: "At last." }];
    const id = await startAgent(home, steps, "--permission", "allow");
    await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("ran >> ran  ✓"));
    const { pid } = await inspect(home, id);
    for (const each of [...markedProcesses(id), pid!]) process.kill(each, "SIGKILL");
    await waitFor(async () => ["failed", "lost"].includes((await inspect(home, id)).status));
    fs.writeFileSync(gate, "");
    const resumed = await home.holdfast("resume", id, "--wait");
    expect([resumed.code, resumed.stdout]).toEqual([0, "At last.\n"]);
    expect(fs.readFileSync(path.join(home.cwd, "ran"), "utf8")).toBe("ran\n");
    expect(await home.json("notices")).toMatchObject({ notices: [] });
    const again = await home.holdfast("resume", id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("it was continued as")]);
  });

  test("says more to one that has answered", async () => {
    await using home = taskHome();
    const id = await startAgent(
      home,
      [{ text: "One." }, { end: true }, { text: "Two." }],
      "--wait",
      "--json",
    );
    const first = (JSON.parse(id) as TaskJson).id;
    expect((await home.holdfast("resume", first, "And then?", "--wait")).stdout).toBe("Two.\n");
  });
});

test("the API loop runs in the background, with its tools and its cost", async () => {
  await using server = await startMessagesServer(
    { kind: "answer", content: [{ tool: "Bash", input: { command: "echo tooled" } }] },
    "The tool said tooled.",
  );
  await using home = taskHome({ ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: server.url });
  const done = await home.holdfast("agent", "--permission", "allow", "--wait", "--json", "Try the tool");
  expect(JSON.parse(done.stdout)).toMatchObject({
    status: "completed",
    runner: "anthropic",
    content: [{ type: "text", text: "The tool said tooled." }],
    totalToolUseCount: 1,
  });
  expect(JSON.stringify(server.requests[1]?.body.messages)).toContain("tooled");
});
