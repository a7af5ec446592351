import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { readSettings } from "./settings.ts";

function put(file: string, content: unknown): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

describe("readSettings()", () => {
  it("lets the stronger file win key by key, merges objects and joins lists", () => {
    const root = tempDir();
    const [configDir, cwd] = [path.join(root, "config"), path.join(root, "work")];
    const managedFile = put(path.join(root, "managed.json"), { model: "managed" });
    const local = put(path.join(cwd, ".claude/settings.local.json"), {
      model: "local",
      permissions: { allow: ["A", "B"] },
    });
    const shared = put(path.join(cwd, ".claude/settings.json"), {
      model: "shared",
      plansDirectory: "./plans",
      permissions: { allow: ["B", "C"], deny: ["D"] },
    });
    const user = put(path.join(configDir, "settings.json"), {
      model: "user",
      plansDirectory: "x",
      cleanupPeriodDays: 90,
      theme: "dark",
    });
    expect(readSettings({ configDir, cwd, managedFile, flags: { model: "flag", theme: "light" } })).toEqual({
      values: {
        model: "managed",
        theme: "light",
        plansDirectory: "./plans",
        cleanupPeriodDays: 90,
        permissions: { allow: ["A", "B", "C"], deny: ["D"] },
      },
      cleanupPeriodDays: 90,
      plansDirectory: "./plans",
      files: [managedFile, local, shared, user],
      problems: [],
    });
  });

  it("counts a bad file as absent and says so", () => {
    const root = tempDir();
    const managedFile = path.join(root, "none.json");
    const shared = put(path.join(root, ".claude/settings.json"), "{ // comment\n}");
    const local = put(path.join(root, ".claude/settings.local.json"), "[1]");
    const user = put(path.join(root, "settings.json"), '\uFEFF{"cleanupPeriodDays":"soon"}');
    expect(readSettings({ configDir: root, cwd: root, managedFile })).toEqual({
      values: { cleanupPeriodDays: "soon" },
      cleanupPeriodDays: 30,
      files: [user],
      problems: [
        { path: local, reason: "wrong-shape" },
        { path: shared, reason: "not-json" },
      ],
    });
  });

  it("is empty, with the client's default retention, where there is no file at all", () => {
    const configDir = tempDir();
    expect(readSettings({ configDir, managedFile: path.join(configDir, "none") })).toEqual({
      values: {},
      cleanupPeriodDays: 30,
      files: [],
      problems: [],
    });
  });

  it("takes a __proto__ key as a plain key", () => {
    const configDir = tempDir();
    put(path.join(configDir, "settings.json"), '{"__proto__":{"polluted":true}}');
    const { values } = readSettings({ configDir, managedFile: path.join(configDir, "none") });
    expect(Object.keys(values)).toEqual(["__proto__"]);
    expect((values as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
