import { describe, expect, test } from "vitest";
import { settingsFileOf } from "../../runtime/places.ts";
import { readEnvironment, type Surroundings } from "./environment.ts";

function surroundings(env: Record<string, string>, over: Partial<Surroundings> = {}): Surroundings {
  return { env, cwd: "/work", userHome: "/home/me", stdin: {}, stdout: {}, stderr: {}, ...over };
}

const terminal = { isTTY: true, columns: 132 };

describe("readEnvironment()", () => {
  test("takes the usual folders when nothing is set", () => {
    const { home, configDir } = readEnvironment(
      surroundings({ HOLDFAST_HOME: "", XDG_STATE_HOME: "", CLAUDE_CONFIG_DIR: "" }),
    );
    expect({ home, configDir }).toEqual({
      home: "/home/me/.local/state/holdfast",
      configDir: "/home/me/.claude",
    });
  });

  test("finds the settings in the config folder of the platform, but those of a chosen home in it", () => {
    const settings = (env: Record<string, string>): string => readEnvironment(surroundings(env)).settingsFile;
    expect(settings({ XDG_CONFIG_HOME: "/conf" })).toBe("/conf/holdfast/config.json");
    expect(settings({ XDG_STATE_HOME: "/xdg", XDG_CONFIG_HOME: "/conf" })).toBe("/conf/holdfast/config.json");
    expect(settings({ HOLDFAST_HOME: "/own", XDG_CONFIG_HOME: "/conf" })).toBe("/own/config.json");
    const usual = "/home/me/.local/state/holdfast";
    expect(
      ["linux", "darwin"].map((platform) => settingsFileOf(usual, {}, { userHome: "/home/me", platform })),
    ).toEqual([
      "/home/me/.config/holdfast/config.json",
      "/home/me/Library/Application Support/holdfast/config.json",
    ]);
  });

  test.each([
    [{}, false],
    [{ LANG: "en_US.UTF-8" }, false],
    [{ LANG: "en_US.UTF-8", LC_ALL: "C" }, true],
    [{ LC_CTYPE: "C.utf8", LANG: "C" }, false],
    [{ LANG: "POSIX" }, true],
  ])("knows by %j whether only ASCII can be shown", (env, isAsciiOnly) => {
    expect(readEnvironment(surroundings(env)).isAsciiOnly).toBe(isAsciiOnly);
  });

  test("takes the folders that the variables name, relative ones from the working directory", () => {
    const named = readEnvironment(surroundings({ XDG_STATE_HOME: "/xdg", CLAUDE_CONFIG_DIR: "conf" }));
    expect([named.home, named.configDir]).toEqual(["/xdg/holdfast", "/work/conf"]);
    expect(readEnvironment(surroundings({ HOLDFAST_HOME: "/own", XDG_STATE_HOME: "/xdg" })).home).toBe(
      "/own",
    );
  });

  const colours: [env: Record<string, string>, isTTY: boolean, hasColor: boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ TERM: "dumb" }, true, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ CLICOLOR_FORCE: "1" }, false, true],
    [{ CLICOLOR_FORCE: "1", NO_COLOR: "1" }, true, false],
  ];
  test.each(colours)("with %j and a terminal: %s, has colour: %s", (env, isTTY, hasColor) => {
    const { style } = readEnvironment(surroundings(env, { stdout: { isTTY } })).stdout;
    expect(style.red("x") !== "x").toBe(hasColor);
  });

  test("cuts nothing in a pipe unless COLUMNS says so", () => {
    expect(readEnvironment(surroundings({})).stdout.columns).toBe(Infinity);
    expect(readEnvironment(surroundings({ COLUMNS: "40" })).stdout.columns).toBe(40);
    expect(readEnvironment(surroundings({ COLUMNS: "wide" }, { stdout: terminal })).stdout.columns).toBe(132);
    expect(readEnvironment(surroundings({}, { stdout: { isTTY: true } })).stdout.columns).toBe(80);
  });

  test("takes nobody for watching or answering in CI", () => {
    const { isWatching, isAnswering } = readEnvironment(
      surroundings({ CI: "1" }, { stdin: terminal, stderr: terminal }),
    );
    expect([isWatching, isAnswering]).toEqual([false, false]);
  });
});
