import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import type { ConfigPlace } from "./read-config.ts";
import { readConfig } from "./read-config.ts";
import { settleConfig } from "./settle-config.ts";
import { writeSetting } from "./write-setting.ts";

interface World extends ConfigPlace {
  settingsFile: string;
  cwd: string;
  variables: Record<string, string>;
}

function world(own: object, { old = {}, projects = {} }: { old?: object; projects?: object } = {}): World {
  const dir = tempDir();
  const place = {
    home: path.join(dir, "home"),
    settingsFile: path.join(dir, "settings", "config.json"),
    cwd: path.join(dir, "work", "inner"),
  };
  const write = (file: string, value: object): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(value));
  };
  write(place.settingsFile, own);
  write(path.join(place.home, "config.json"), old);
  fs.mkdirSync(place.cwd, { recursive: true });
  for (const [folder, value] of Object.entries(projects))
    write(path.join(dir, folder, ".holdfast", "config.json"), value as object);
  return { ...place, variables: {} };
}

function settled(place: World): Record<string, unknown> {
  const { settings } = settleConfig(place, place);
  return Object.fromEntries(
    settings.map(({ key, value, from }) => [key, [value, "path" in from ? from.path : from.kind]]),
  );
}

test("settleConfig() takes a variable before the user's file, that before the old place, that before the default", () => {
  const place = world(
    { model: "new", fleet: { servers: ["nats://file"], keys: "/file" } },
    { old: { model: "old", agent: "codex", fleet: { ca: "/old-ca" } } },
  );
  place.variables = { HOLDFAST_NATS_URL: "nats://a, nats://b", HOLDFAST_NATS_KEYS: "" };
  const old = path.join(place.home, "config.json");
  expect(settled(place)).toMatchObject({
    model: ["new", place.settingsFile],
    agent: ["codex", old],
    permission: ["ask", "default"],
    "limits.maxCost": [undefined, "default"],
    "fleet.servers": [["nats://a", "nats://b"], "variable"],
    "fleet.keys": ["/file", place.settingsFile],
    "fleet.ca": ["/old-ca", old],
  });
  expect(readConfig(place)).toEqual({
    model: "new",
    agent: "codex",
    fleet: { servers: ["nats://file"], keys: "/file", ca: "/old-ca" },
  });
});

test.each([
  ["permission", "allow", "rules", "rules"],
  ["permission", "deny", "allow", "deny"],
  ["limits.maxTurns", undefined, 5, 5],
  ["limits.maxTurns", 3, 5, 3],
  ["limits.timeout", "1h", "10m", "10m"],
  ["limits.timeout", "90s", "2m", "90s"],
])("settleConfig() lets a project only narrow %s %s by %s", (key, own, project, holds) => {
  const nested = (value: unknown): object =>
    key.startsWith("limits.") ? { limits: { [key.slice(7)]: value } } : { [key]: value };
  const place = world(own === undefined ? {} : nested(own), { projects: { work: nested(project) } });
  const file = path.join(path.dirname(place.cwd), ".holdfast", "config.json");
  expect(settled(place)[key]).toEqual([holds, holds === own ? place.settingsFile : file]);
});

test("settleConfig() combines the projects above a folder, and ignores what they may not say", () => {
  const place = world(
    { permission: "allow", agent: "claude" },
    {
      projects: {
        work: { permission: "ask", fleet: { servers: ["nats://theirs"] } },
        "work/inner": { permission: "allow", limits: { maxCost: 1 }, agent: "codex", model: 7 },
      },
    },
  );
  const { settings, projects } = settleConfig(place, place);
  const values = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  expect(values).toMatchObject({
    permission: "ask",
    "limits.maxCost": 1,
    agent: "claude",
    model: undefined,
    "fleet.servers": undefined,
  });
  expect(projects.map(({ ignored }) => ignored)).toEqual([["agent", "model"], ["fleet"]]);
});

test("settleConfig() takes a home that is called .holdfast for no project", () => {
  const place = world({});
  const home = path.join(path.dirname(place.cwd), ".holdfast");
  fs.mkdirSync(home);
  const file = path.join(home, "config.json");
  fs.writeFileSync(file, '{"permission":"allow","agent":"codex"}');
  const own = { ...place, home, settingsFile: file };
  expect(settleConfig(own, own).projects).toEqual([]);
  expect(settled(own)).toMatchObject({ permission: ["allow", file], agent: ["codex", file] });
});

test("settleConfig() refuses a project's file that it cannot read: what that takes away is not known", () => {
  const place = world({}, { projects: { work: {} } });
  const file = path.join(path.dirname(place.cwd), ".holdfast", "config.json");
  for (const text of ["{", '{"permission":"all"}', '{"limits":{"timeout":"soon"}}']) {
    fs.writeFileSync(file, text);
    expect(() => settled(place)).toThrow(expect.objectContaining({ code: "config_invalid" }));
  }
});

test("writeSetting() changes one setting and leaves the rest; taken back, it is gone in the old place, too", () => {
  const place = world({ mine: 1, limits: { maxTurns: 3 } }, { old: { keep: true, model: "old" } });
  const files = (): unknown[] =>
    [place.settingsFile, path.join(place.home, "config.json")].map((file) =>
      JSON.parse(fs.readFileSync(file, "utf8")),
    );
  writeSetting(place, "limits.maxCost", 2);
  writeSetting(place, "model", "new");
  expect(files()).toEqual([
    { mine: 1, limits: { maxTurns: 3, maxCost: 2 }, model: "new" },
    { keep: true, model: "old" },
  ]);
  writeSetting(place, "model", undefined);
  writeSetting(place, "limits.maxTurns", undefined);
  writeSetting(place, "limits.maxCost", undefined);
  expect(files()).toEqual([{ mine: 1 }, { keep: true }]);
});
