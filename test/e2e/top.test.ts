import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { hasTmux, openCommand, playing } from "./chat-terminal.ts";
import { taskHome } from "./task-cli.ts";

describe("holdfast top", () => {
  test("needs a terminal", async () => {
    await using home = taskHome();
    expect(await home.holdfast("top")).toMatchObject({ code: 2, stdout: "" });
  });

  test.skipIf(!hasTmux)(
    "shows tasks and their output, answers a question, searches, follows, stops",
    async () => {
      await using home = taskHome();
      const web = await home.start("--name", "web", "echo serving; sleep 60");
      const script = playing({ "Build it": [{ text: "Well." }, { run: "echo built > built" }] });
      await home.holdfast("agent", ...script, "--permission", "ask", "--name", "builder", "Build it");
      await using terminal = await openCommand(home, ["top"], { columns: 100, rows: 20 });
      await terminal.shows("2 running, 1 question");
      await terminal.shows(/❯ a\w+ +needs input[\s\S]*\? .*\n +echo built > built/);
      // A key that comes right after the question is not taken.
      await waitFor(async () => {
        await terminal.press("y");
        return (await home.json("inspect", "builder"))["status"] === "completed";
      });
      await terminal.shows("1 running");
      await terminal.press("a");
      await terminal.shows(/a\w+ +completed/);
      await terminal.type("/web");
      await terminal.press("Enter");
      await terminal.shows(/1 with "web"[\s\S]*── b\w+ web ─+\nserving[\s\S]*f follow/);
      await terminal.type("f");
      await terminal.hides("STATUS");
      await terminal.shows("f list");
      await terminal.type("f");
      await terminal.shows("STATUS");
      await terminal.type("s");
      await terminal.shows(`Press s again to stop ${web}`);
      await terminal.type("s");
      await waitFor(async () => (await home.json("inspect", "web"))["status"] === "stopped");
      await terminal.type("q");
      expect(await terminal.ended()).toBe(0);
    },
  );
});
