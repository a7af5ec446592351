import { describe, expect, it } from "vitest";
import { KeyValues } from "./key-values.ts";

describe("KeyValues", () => {
  it("collects an entry's own values in order, and none that only something nested has", () => {
    const values = new KeyValues("cwd");
    const lines = [
      { type: "user", toolUseResult: { cwd: "/nested" }, cwd: "/a" },
      { type: "user", cwd: "/a" },
      { type: "user", text: '"cwd":"/quoted"', cwd: "/b" },
      { type: "user", cwd: "/nested" },
      { type: "user", cwd: 'C:\\x "y"' },
      { type: "user", cwd: "/ü" },
      { type: "user", cwd: 7 },
      { type: "user", keys: ["cwd", "x"] },
    ].map((entry) => JSON.stringify(entry));
    for (const line of [...lines, '{ "type": "user", "cwd" : "/spaced" }', '{"type":"user","cwd":"/torn']) {
      values.offer(Buffer.from(line));
    }
    expect(values.values).toEqual(["/a", "/b", "/nested", 'C:\\x "y"', "/ü", "/spaced"]);
  });
});
