import { describe, expect, test } from "vitest";
import { agentLaunch, hookHome, notification } from "../e2e/hook-cli.ts";

// A word of others that is looked up in a table of ours, and must not be found there.

describe("a name that every object knows", () => {
  test("as the status of a notification is an ending all the same", async () => {
    await using home = hookHome();
    await home.send("PostToolUse", agentLaunch("a0000000000000001"));
    await home.send("UserPromptSubmit", {
      prompt: notification("a0000000000000001", { status: "constructor" }),
    });
    expect(home.manifest().map(({ status }) => status)).toEqual(["launched", "failed", "seen"]);
  });
});
