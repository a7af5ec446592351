import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { writeScript } from "../support/agent-script.ts";
import { deadProcess } from "../support/manifest-lines.ts";
import { agentLaunch, bashLaunch, hookHome, notification, type HookHome } from "./hook-cli.ts";

// Two judges: one preamble, which is longer than what a list shows of a prompt, and other criteria.
const PREAMBLE =
  "You are one of two judges. Read the patch, run its tests, weigh what you see, answer. ".repeat(4);
const [CORRECTNESS, STYLE] = [`${PREAMBLE}Judge only whether it is correct.`, `${PREAMBLE}Judge only style.`];
const [AGENT, TWIN] = ["a0123456789abcdef", "a0123456789abcde0"];

/** What the hook says when the client is about to launch this. */
const warned = (home: HookHome, launch: Record<string, unknown>): Promise<string> =>
  home.told("PreToolUse", { ...launch, tool_response: undefined });

/** An agent of ours that goes on until it is stopped. */
async function startAgent(home: HookHome, prompt: string, ...options: string[]): Promise<string> {
  const { script = "" } = writeScript(home, [{ waitFor: "go" }]);
  return (await home.json<{ id: string }>("agent", "--script", script, ...options, prompt)).id;
}

const duplicates = async (home: HookHome): Promise<string[][]> =>
  (await home.json<{ duplicates: { ids: string[] }[] }>("recover")).duplicates.map(({ ids }) =>
    ids.toSorted(),
  );

function checkOut(home: HookHome, branch: string): void {
  fs.mkdirSync(path.join(home.cwd, ".git"), { recursive: true });
  fs.writeFileSync(path.join(home.cwd, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
}

function withModel(launch: Record<string, unknown>, model: string): Record<string, unknown> {
  const { tool_input, tool_response } = launch as { tool_input: object; tool_response: object };
  return {
    ...launch,
    tool_input: { ...tool_input, model },
    tool_response: { ...tool_response, resolvedModel: `claude-${model}-5-5` },
  };
}

describe("the same work", () => {
  test("is known by the whole prompt, whoever launched it", async () => {
    await using home = hookHome();
    const ours = await startAgent(home, CORRECTNESS);
    const other = await startAgent(home, STYLE);
    expect(await duplicates(home)).toEqual([]);
    expect(await warned(home, agentLaunch("x", CORRECTNESS))).toContain(`running already: agent ${ours}`);
    expect(await warned(home, agentLaunch("x", STYLE))).toContain(`running already: agent ${other}`);
    expect(await warned(home, agentLaunch("x", `${PREAMBLE}Judge its tests.`))).toBe("");
    await home.send("PostToolUse", agentLaunch(AGENT, CORRECTNESS));
    expect(await duplicates(home)).toEqual([[AGENT, ours].toSorted()]);
    // The manifest may have been removed, or not have been writable.
    const projectsDir = path.join(home.home, "projects");
    for (const key of fs.readdirSync(projectsDir)) fs.rmSync(path.join(projectsDir, key, "background.jsonl"));
    expect(await warned(home, agentLaunch("x", STYLE))).toContain(`running already: agent ${other}`);
  });

  test("is not that of another folder, branch or model", async () => {
    await using home = hookHome();
    checkOut(home, "main");
    const ours = await startAgent(home, CORRECTNESS);
    const command = await home.start("--", "sleep 1000");
    await home.send("PostToolUse", agentLaunch(AGENT, STYLE));
    const launches = [agentLaunch("x", CORRECTNESS), agentLaunch("x", STYLE), bashLaunch("x", "sleep 1000")];
    const warnings = (
      change: (launch: Record<string, unknown>) => Record<string, unknown>,
    ): Promise<string[]> => Promise.all(launches.map((launch) => warned(home, change(launch))));
    const [first, second, third] = await warnings((launch) => launch);
    expect([first, second, third]).toEqual(
      [`agent ${ours}`, `agent ${AGENT}`, `command ${command}`].map((what) => expect.stringContaining(what)),
    );
    const folder = path.join(home.cwd, "packages");
    fs.mkdirSync(folder);
    expect(await warnings((launch) => ({ ...launch, cwd: folder }))).toEqual(["", "", ""]);
    checkOut(home, "other");
    expect(await warnings((launch) => launch)).toEqual(["", "", ""]);
    await home.send("PostToolUse", agentLaunch(TWIN, STYLE));
    expect(await duplicates(home)).toEqual([]);
    checkOut(home, "main");
    expect(await warned(home, withModel(agentLaunch("x", STYLE), "haiku"))).toBe("");
    expect(await warned(home, withModel(agentLaunch("x", STYLE), "opus"))).toContain(AGENT);
    await home.send("PostToolUse", withModel(agentLaunch("a0123456789abcde1", STYLE), "haiku"));
    expect(await duplicates(home)).toEqual([]);
  });

  test("is the same however a prompt is wrapped; of a command line breaks count", async () => {
    await using home = hookHome();
    const id = await home.start("--", "sleep 1000\ntrue");
    expect(await warned(home, bashLaunch("x", "\nsleep  1000  \n true\n"))).toContain(id);
    expect(await warned(home, bashLaunch("x", "sleep 1000 true"))).toBe("");
    await home.send("PostToolUse", agentLaunch(AGENT, "Count\n\n\tthe files"));
    expect(await warned(home, agentLaunch("x", " Count the\r\nfiles "))).toContain(AGENT);
  });

  test("is not what failed: who launches that again tries again", async () => {
    await using home = hookHome();
    const command = "until [ -e go ]; do sleep 0.01; done; exit 3";
    const go = path.join(home.cwd, "go");
    const failed = await home.start("--session", "s-1", "--", command);
    expect(await warned(home, bashLaunch("x", command))).toContain(`running already: command ${failed}`);
    fs.writeFileSync(go, "");
    await home.untilEnded(failed);
    expect(await warned(home, bashLaunch("x", command))).toBe("");
    fs.rmSync(go);
    await home.start("--session", "s-1", "--", command);
    expect(await home.json("recover")).toMatchObject({ finishedUnseen: [{ id: failed }], duplicates: [] });
    await home.send("PostToolUse", agentLaunch(AGENT, STYLE));
    await home.send(
      "UserPromptSubmit",
      { prompt: notification(AGENT, { status: "failed" }) },
      { session: "s-2" },
    );
    expect(await warned(home, agentLaunch("x", STYLE))).toBe("");
    const done = await home.start("--session", "s-1", "--wait", "--", "echo 4711");
    expect(await warned(home, bashLaunch("x", "echo 4711"))).toContain(`is done already and nobody has read`);
    expect(await warned(home, bashLaunch("x", "echo 4711"))).toContain(done);
  });

  test("is not an agent that had answered and was asked something more", async () => {
    await using home = hookHome();
    await home.send("PostToolUse", agentLaunch(AGENT, STYLE));
    await home.send("UserPromptSubmit", { prompt: notification(AGENT, { result: "Good style" }) });
    await home.send("SubagentStart", { agent_id: AGENT, agent_type: "Explore" });
    expect(await home.json("recover")).toMatchObject({ running: [{ id: AGENT }] });
    expect(await warned(home, agentLaunch("x", STYLE))).toBe("");
    // One that had not ends what it was launched for.
    await home.send("PostToolUse", agentLaunch(TWIN, CORRECTNESS), { clientPid: deadProcess.pid });
    await home.send("UserPromptSubmit", { prompt: notification(TWIN, { status: "killed" }) });
    await home.send("SubagentStart", { agent_id: TWIN, agent_type: "Explore" });
    expect(await warned(home, agentLaunch("x", CORRECTNESS))).toContain(`running already: agent ${TWIN}`);
  });

  test("is what an agent of ours goes on with, but not what it is asked once it has answered", async () => {
    await using home = hookHome();
    const stopped = await startAgent(home, CORRECTNESS);
    await home.holdfast("stop", stopped);
    expect(await warned(home, agentLaunch("x", CORRECTNESS))).toBe("");
    const { id } = await home.json<{ id: string }>("resume", stopped);
    expect(await warned(home, agentLaunch("x", CORRECTNESS))).toContain(`running already: agent ${id}`);
    expect(await duplicates(home)).toEqual([]);
    const { script = "" } = writeScript(home, [{ text: "Good" }, { end: true }, { waitFor: "go" }]);
    const answered = await home.json<{ id: string }>("agent", "--script", script, "--wait", STYLE);
    await home.holdfast("resume", answered.id, "And now?");
    expect(await warned(home, agentLaunch("x", STYLE))).toBe("");
    expect(await warned(home, agentLaunch("x", "And now?"))).toBe("");
  });
});
