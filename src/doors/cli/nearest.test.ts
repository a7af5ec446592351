import { describe, expect, test } from "vitest";
import { commandAliases, commandList } from "./command-list.ts";
import { nearest } from "./nearest.ts";

const names = [...commandList.map(({ name }) => name), ...Object.keys(commandAliases)];

describe("nearest()", () => {
  test.each([
    ["sesions", "sessions"],
    ["shwo", "show"],
    ["hlep", "help"],
    ["pss", "ps"],
    ["stpo", "stop"],
    ["sess", "sessions"],
    ["lsit", "list"],
    ["attahc", "attach"],
    ["serch", "search"],
  ])("takes %s for %s", (typed, meant) => {
    expect(nearest(typed, names)).toBe(meant);
  });

  test.each(["x", "rx", "foo", "xyzzy", "frobnicate", "deploy", "--frobnicate", ""])(
    "takes %j for nothing",
    (typed) => {
      expect(nearest(typed, names)).toBeUndefined();
    },
  );
});
