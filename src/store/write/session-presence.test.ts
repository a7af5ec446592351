import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { announceSession, isSessionPresent } from "./session-presence.ts";

describe("isSessionPresent()", () => {
  test("knows sessions of a chat while it has them, and no others", () => {
    const home = tempDir();
    const place = { home, configDir: path.join(home, "config") };
    expect(isSessionPresent(place, "one")).toBe(false);
    const presence = announceSession(home, "one");
    expect([isSessionPresent(place, "one"), isSessionPresent(place, "two")]).toEqual([true, false]);
    expect(() => announceSession(home, "one")).toThrow("locked by pid");
    presence.release();
    expect(isSessionPresent(place, "one")).toBe(false);
  });

  test("knows sessions of a running client", () => {
    const configDir = tempDir();
    fs.mkdirSync(path.join(configDir, "sessions"));
    fs.writeFileSync(
      path.join(configDir, "sessions", `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: "one" }),
    );
    expect(isSessionPresent({ home: tempDir(), configDir }, "one")).toBe(true);
  });

  test("takes no name that is none for a file", () => {
    expect(isSessionPresent({ home: tempDir(), configDir: tempDir() }, "../x")).toBe(false);
  });
});
