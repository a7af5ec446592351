import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/support/temp-dir.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import type { RunnerEnd, RunnerEvent, RunnerMessage, RunnerRequest } from "../../../tasks/ports.ts";
import { scriptedRunner, type Script } from "./index.ts";

interface Played {
  told: string[];
  events: RunnerEvent[];
  end: RunnerEnd;
}

async function play(
  script: Script | { script: string },
  messages: RunnerMessage[] = [{ role: "user", content: "Go" }],
  options: Partial<RunnerRequest> = {},
): Promise<Played> {
  const request: RunnerRequest = {
    messages,
    prompt: "",
    cwd: tempDir(),
    env: { PATH: "/usr/bin:/bin" },
    askPermission: async () => ({ behavior: "allow" }),
    takeMessages: async () => [],
    tasks: undefined!,
    ...options,
  };
  const playing = scriptedRunner(script)(request, new AbortController().signal);
  const events: RunnerEvent[] = [];
  for (;;) {
    const { done, value } = await playing.next();
    if (done) return { told: events.map(describeEvent), events, end: value };
    events.push(value);
  }
}

function describeEvent(event: RunnerEvent): string {
  if (event.kind !== "assistant" && event.kind !== "user") return event.kind;
  const [part] = event.message.content as Record<string, unknown>[];
  return String(part!["text"] ?? part!["name"] ?? part!["content"]).trim();
}

describe("scriptedRunner()", () => {
  test("plays its steps in order, repeated ones as often as they say", async () => {
    const script: Script = {
      steps: [
        { text: "Hello" },
        { tool: "Read", result: "words" },
        { repeat: 2, steps: [{ run: "echo ran" }] },
        { todos: [] },
        { activity: "thinking" },
        { text: "Bye" },
      ],
    };
    expect(await play(script)).toMatchObject({
      told: ["Hello", "Read", "words", "Bash", "ran", "Bash", "ran", "todos", "activity", "Bye"],
      end: { reason: "done" },
    });
  });

  test("gives each message an id that no other conversation has, and says when its turn goes on", async () => {
    const ids = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const { events } = await play({ steps: [{ text: "First." }, { text: "Last." }] });
      const said = events.flatMap((event) => (event.kind === "assistant" ? [event.message] : []));
      for (const { id } of said) ids.add(id);
      expect(said.map(({ stop_reason }) => stop_reason)).toEqual(["pause_turn", "end_turn"]);
    }
    expect(ids.size).toBe(4);
  });

  test("goes on behind what is told already, and behind an answer when something is said", async () => {
    const script: Script = {
      steps: [
        { text: "One" },
        { activity: "x" },
        { tool: "Read" },
        { text: "Two" },
        { end: true },
        { text: "Three" },
      ],
    };
    const told = (...texts: string[]): RunnerMessage[] => [
      { role: "user", content: "Go" },
      { role: "assistant", content: texts.map((text) => ({ type: "text", text })) },
      { role: "user", content: "Go on" },
    ];
    expect((await play(script)).told).toEqual(["One", "activity", "Read", "done", "Two"]);
    expect((await play(script, told("One"))).told).toEqual(["activity", "Read", "done", "Two"]);
    expect((await play(script, told("One", "Read"))).told).toEqual(["Two"]);
    expect((await play(script, told("One", "Read", "Two"))).told).toEqual(["Three"]);
    expect((await play(script, told("One", "Read", "Two", "Three"))).told).toEqual([]);
  });

  test("plays what belongs to the prompt, from a file", async () => {
    const file = path.join(tempDir(), "script.json");
    fs.writeFileSync(
      file,
      JSON.stringify({ steps: [{ text: "Default" }], prompts: { Look: [{ text: "Looking" }] } }),
    );
    expect((await play({ script: file }, [{ role: "user", content: "Look" }])).told).toEqual(["Looking"]);
    expect((await play({ script: file })).told).toEqual(["Default"]);
    fs.writeFileSync(file, "{}");
    await expect(play({ script: file })).rejects.toThrow("it has no steps");
  });

  test("ends with a command everything that the command started, when it is stopped", async () => {
    const cwd = tempDir();
    const stop = new AbortController();
    const request = {
      messages: [{ role: "user" as const, content: "Go" }],
      prompt: "",
      cwd,
      env: { PATH: "/usr/bin:/bin" },
      askPermission: async () => ({ behavior: "allow" as const }),
      takeMessages: async () => [],
      tasks: undefined!,
    };
    const command = `sh -c 'sleep 600 & echo $! > grandchild; wait'; true`;
    const events = scriptedRunner({ steps: [{ run: command }] })(request, stop.signal);
    await events.next();
    const running = events.next();
    running.catch(() => {});
    const file = path.join(cwd, "grandchild");
    await waitFor(() => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n"));
    const pid = Number(fs.readFileSync(file, "utf8"));
    stop.abort();
    await expect(running).rejects.toThrow("aborted");
    await waitFor(() => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });
  });

  test("obeys a denial, fails and refuses as it is told", async () => {
    const askPermission = async (): Promise<{ behavior: "deny"; message: string }> => ({
      behavior: "deny",
      message: "Never",
    });
    const denied = await play({ steps: [{ run: "touch x" }] }, undefined, { askPermission });
    expect(denied.told).toEqual(["Bash", "Never"]);
    await expect(play({ steps: [{ fail: "broken" }] })).rejects.toThrow("broken");
    expect((await play({ steps: [{ refuse: true }] })).end).toEqual({ reason: "refusal" });
  });
});
