import { describe, expect, test } from "vitest";
import { approvalOf } from "../../rules/judge-request.ts";
import { toolInput } from "./tool-input.ts";

const facts = (rawInput: unknown) => ({ toolCallId: "t", title: "say hello", rawInput });

describe("toolInput() of a command", () => {
  test.each([
    [{ command: "git status" }, "git status"],
    [{ cmd: "git status" }, "git status"],
    [{ command: "git status", cmd: "git status" }, "git status"],
    [{ command: "git status", cmd: "rm -rf src" }, "git status\nrm -rf src"],
  ])("takes every command that %j names", (given, command) => {
    expect(toolInput("Bash", facts(given))["command"]).toBe(command);
  });

  test.each([
    [{}, { title: "say hello" }],
    [{ command: ["rm", "-rf", "src"] }, { command: [["rm", "-rf", "src"]] }],
    [
      { command: ["rm", "-rf", "src"], cmd: "git status" },
      { command: [["rm", "-rf", "src"], "git status"], cmd: "git status" },
    ],
  ])("has none that could be allowed for good where it cannot be told: %j", (given, input) => {
    expect(toolInput("Bash", facts(given))).toEqual(input);
    expect(approvalOf({ tool: "Bash", input })).toBeUndefined();
  });
});
