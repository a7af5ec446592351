import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { TranscriptBuilder, waitFor } from "../support/index.ts";
import { hasTmux, openCommand, playing } from "./chat-terminal.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

function writeSessions(home: TaskHome, ...prompts: string[]): string[] {
  return prompts.map((prompt) => {
    const builder = new TranscriptBuilder({ cwd: home.cwd, seed: prompt });
    builder.prompt(prompt);
    builder.reply(`About ${prompt}`);
    return builder.write(home.configDir).sessionId;
  });
}

describe.skipIf(!hasTmux)("choosing from a list", () => {
  test("show without an id: typing filters, the end of what is selected is seen, Enter takes it", async () => {
    await using home = taskHome();
    writeSessions(home, "the parser", "the printer");
    await using terminal = await openCommand(home, ["show", "--no-pager"]);
    await terminal.shows("Which session? 2 of 2");
    await terminal.type("pars");
    await terminal.shows("Which session? 1 of 2");
    await terminal.shows(/─\n[\s\S]*About the parser/);
    await terminal.press("Enter");
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.history()).toMatch(/❯ the parser\n\n {2}About the parser/);
  });

  test("fork without an id", async () => {
    await using home = taskHome();
    writeSessions(home, "the parser");
    await using terminal = await openCommand(home, ["fork"]);
    await terminal.shows("Which session?");
    await terminal.press("Enter");
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.history()).toContain("Forked 2 entries.");
  });

  test("logs and stop without an id; Esc leaves everything as it is", async () => {
    await using home = taskHome();
    await home.start("--wait", "--name", "done", "echo finished");
    const id = await home.start("--name", "long", "echo working; sleep 60");
    await using logs = await openCommand(home, ["logs"]);
    await logs.shows("Which task? 2 of 2");
    await logs.press("Down");
    await logs.shows(/─\n[\s\S]*finished/);
    await logs.press("Enter");
    expect(await logs.ended()).toBe(0);
    expect(await logs.history()).toContain("finished");
    await using left = await openCommand(home, ["stop"]);
    await left.shows("Which running task? 1 of 1");
    await left.press("Escape");
    expect(await left.ended()).toBe(130);
    expect(await home.json("inspect", id)).toMatchObject({ status: "running" });
    await using stop = await openCommand(home, ["stop"]);
    await stop.shows("Which running task? 1 of 1");
    await stop.press("Enter");
    expect(await stop.ended()).toBe(0);
    expect(await home.json("inspect", id)).toMatchObject({ status: "stopped" });
  });

  test("approve without an id offers the agents that ask", async () => {
    await using home = taskHome();
    await home.start("--name", "long", "sleep 60");
    const { stdout } = await home.holdfast(
      "agent",
      ...playing({ "Make it": [{ run: "echo done > made" }] }),
      "Make it",
    );
    await waitFor(async () => (await home.holdfast("ps")).stdout.includes("needs input"));
    await using terminal = await openCommand(home, ["approve"]);
    await terminal.shows("Whose question? 1 of 1");
    await terminal.press("Enter");
    await terminal.shows("Allow this? [y/N]");
    await terminal.type("y");
    await terminal.press("Enter");
    expect(await terminal.ended()).toBe(0);
    expect(await home.holdfast("wait", stdout.trim())).toMatchObject({ code: 0 });
    expect(fs.existsSync(path.join(home.cwd, "made"))).toBe(true);
  });

  test("teleport without an id offers only runs on the fleet, and goes on with the one that is taken", async () => {
    await using home = taskHome();
    const local = await home.start("--wait", "--name", "local", "true");
    const agent = await home.holdfast("agent", ...playing({}), "--wait", "A run of the fleet");
    expect(agent.code).toBe(0);
    const { tasks } = await home.json<{ tasks: { id: string }[] }>("ps", "-a");
    const { id } = tasks.find((each) => each.id !== local)!;
    // What a dispatch would have noted. Nothing answers there.
    const remote = {
      sessionId: "on-the-fleet",
      run: 1,
      url: "holdfast:fleet/on-the-fleet",
      address: { servers: ["nats://127.0.0.1:1"] },
    };
    const [record = ""] = fs.globSync(path.join(home.home, "projects", "*", "tasks", `${id}.json`));
    fs.writeFileSync(
      record,
      JSON.stringify({ ...(JSON.parse(fs.readFileSync(record, "utf8")) as object), remote }),
    );
    await using terminal = await openCommand(home, ["teleport"]);
    await terminal.shows("Which remote task? 1 of 1");
    await terminal.shows("A run of the fleet");
    await terminal.press("Enter");
    await terminal.shows("Cannot find a fleet");
    // It was taken: what is missing now is a fleet.
    expect(await terminal.history()).toContain("holdfast: Cannot find a fleet: none was started here");
    expect(await terminal.ended()).not.toBe(0);
  });

  test.each([
    ["chat", ["chat", "--resume"]],
    ["resume", ["resume"]],
  ])("%s without an id goes on with a conversation of this folder", async (_, words) => {
    await using home = taskHome();
    writeSessions(home, "the parser");
    const script = playing({});
    const args = words[0] === "chat" ? ["chat", ...script, "--resume"] : [...words, ...script];
    await using terminal = await openCommand(home, args);
    await terminal.shows(/^Which .*\? 1 of 1/);
    await terminal.press("Enter");
    await terminal.hides("Which");
    await terminal.shows(/About the parser\n\n─+\n❯/);
    await terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
  });

  test.each([["show"], ["fork"], ["logs"], ["stop"], ["resume"], ["teleport"]])(
    "%s is told what is missing where nobody can choose",
    async (verb) => {
      await using home = taskHome({ CI: "1" });
      writeSessions(home, "the parser");
      expect(await home.holdfast(verb)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Missing required argument 'id'") as string,
      });
      expect(await home.spawnOnTerminal([verb]).ended()).toBe(2);
    },
  );
});
