import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { openSessionStore } from "../open-session-store.ts";
import { attendSession, isSessionPresent } from "./session-presence.ts";

describe("isSessionPresent()", () => {
  test("knows sessions of a chat while it has them, and no others", () => {
    const home = tempDir();
    const place = { home, configDir: path.join(home, "config") };
    expect(isSessionPresent(place, "one")).toBe(false);
    const presence = attendSession(home, "one");
    expect([isSessionPresent(place, "one"), isSessionPresent(place, "two")]).toEqual([true, false]);
    expect(() => attendSession(home, "one")).toThrow("locked by pid");
    presence.release();
    expect(isSessionPresent(place, "one")).toBe(false);
  });

  test("knows sessions that a program writes or attends, until it lets them go", async () => {
    const sessions = openSessionStore({ home: tempDir(), configDir: tempDir() });
    const isPresent = (id: string): boolean => isSessionPresent(sessions, id);
    const cwd = "/home/user/project";
    const writer = await sessions.openWriter({ cwd, sessionId: "one" });
    const agent = await sessions.openWriter({ cwd, sessionId: "two", agentId: "a1" });
    const attendance = await sessions.attend("three");
    const more = await sessions.openWriter({ cwd, sessionId: "three" });
    expect(["one", "on", "one-1", "two", "three"].filter(isPresent)).toEqual(["one", "three"]);
    await expect(sessions.attend("three")).rejects.toMatchObject({ code: "conflict" });
    await expect(sessions.attend("../x")).rejects.toMatchObject({ code: "invalid_name" });
    attendance.release();
    attendance.release();
    expect(["one", "three"].filter(isPresent)).toEqual(["one", "three"]);
    for (const each of [writer, agent, more]) await each.close();
    expect(["one", "three"].filter(isPresent)).toEqual([]);
    {
      using _attendance = await sessions.attend("three");
      expect(isPresent("three")).toBe(true);
    }
    expect(isPresent("three")).toBe(false);
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
