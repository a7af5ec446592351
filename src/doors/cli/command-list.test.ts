import { describe, expect, test } from "vitest";
import { callsIn } from "../../../test/support/commands-in.ts";
import { commandList } from "./command-list.ts";
import { isFamily } from "./find-command.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { makeStyle } from "./render/style.ts";
import { walkCommands } from "./walk-commands.ts";

const page = { columns: 100, style: makeStyle({ hasColor: false }) };

const everything = await walkCommands();
const verbs = everything.flatMap(({ path, command }) => (isFamily(command) ? [] : [{ path, command }]));

describe("commandList", () => {
  test("has every command and subcommand with a summary of its own", () => {
    expect(everything.length).toBeGreaterThan(50);
    expect(
      everything.filter(({ summary }) => !/^[A-Z].*[^.]$/.test(summary)).map(({ path }) => path),
    ).toEqual([]);
    for (const key of ["path", "summary"] as const)
      expect(new Set(everything.map((each) => each[key])).size).toBe(everything.length);
    expect(commandList.filter(({ group }) => group === "")).toEqual([]);
  });

  test.each(everything.map(({ path, command }) => [path, command] as const))(
    "%s has examples that its own parser takes",
    async (_, command) => {
      const parsed = await Promise.all(
        command.examples.flatMap(({ line }) => callsIn(line)).map((argv) => parseCommandLine(argv, page)),
      );
      expect(parsed.filter(({ kind }) => kind !== "call")).toEqual([]);
      const meant = isFamily(command)
        ? await Promise.all(command.subcommands.map(async ({ load }) => (await load()).command))
        : [command];
      expect(parsed.some((each) => each.kind === "call" && meant.includes(each.command))).toBe(true);
      expect(command.examples.filter(({ text }) => text === "")).toEqual([]);
    },
  );

  test.each(verbs.map(({ path, command }) => [path, command] as const))(
    "%s has arguments and options that can be told apart and completed",
    (_, { arguments: known = [], options = [] }) => {
      const flags = options.flatMap((option) => option.flags.replace(/ <.*$/, "").split(", "));
      const taken = [...flags, "--json", "--help", "-h"];
      expect(new Set(taken).size).toBe(taken.length);
      const wrong = options.filter(
        ({ flags: typed, text, conflicts = [], choices, kind }) =>
          !/^(-\w, )?--[a-z][a-z-]*( <[^<>]+>)?$/.test(typed) ||
          text === "" ||
          !conflicts.every((other) => taken.map(keyOf).includes(other)) ||
          (!typed.includes("<") && (choices ?? kind) !== undefined) ||
          // These words alone do not say where to look.
          (/<(id|dir|file|uuid|session)>/.test(typed) && kind === undefined),
      );
      expect(wrong).toEqual([]);
      expect(new Set(known.map(({ name }) => name)).size).toBe(known.length);
      // Only the last may take all that follow, and behind one that may be left out there is none that may not.
      expect(known.slice(0, -1).filter(({ isVariadic }) => isVariadic)).toEqual([]);
      const order = known.map(({ isOptional = false }) => Number(isOptional));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    },
  );
});

function keyOf(flag: string): string {
  return flag.replace(/^--?(no-)?/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

describe("parseCommandLine()", () => {
  const refusal = async (...argv: string[]): Promise<unknown> =>
    parseCommandLine(argv, page).then(
      () => undefined,
      (error: Error & { fields: object }) => ({ message: error.message, ...error.fields }),
    );

  test("gives each subcommand its own help, and the family a list of them", async () => {
    const help = async (...argv: string[]): Promise<string> => {
      const parsed = await parseCommandLine(argv, page);
      return parsed.kind === "help" ? parsed.text : "";
    };
    expect(await help("fleet", "--help")).toMatch(
      /Usage: holdfast fleet <subcommand>[^]*Subcommands:\n {2}up /,
    );
    expect(await help("archive", "--help")).toContain("Usage: holdfast archive [subcommand]");
    const up = await help("fleet", "up", "--help");
    expect(up).toContain("Usage: holdfast fleet up [options]");
    expect(up).toContain("--lease");
    expect(up).not.toContain("--slots");
    expect(await help("fleet", "--help", "up")).toBe(up);
  });

  test("refuses the option of another subcommand, and what is none", async () => {
    expect(await refusal("fleet", "up", "--slots", "4")).toEqual({
      message: "Unknown option '--slots'",
      help: "holdfast fleet up --help",
    });
    expect(await refusal("archive", "--older-than", "60d", "list")).toMatchObject({
      help: "holdfast archive list --help",
    });
    expect(await refusal("archive", "keep", "maybe")).toEqual({
      message: "Argument 'setting' cannot be 'maybe'. Allowed choices are on, off.",
      help: "holdfast archive keep --help",
    });
    expect(await refusal("fleet", "statsu")).toEqual({
      message: "Unknown subcommand 'statsu' (Did you mean status?)",
      help: "holdfast fleet --help",
    });
    expect(await refusal("fleet", "--json")).toMatchObject({
      message: expect.stringContaining("Missing subcommand: up, down, ") as string,
    });
  });

  test("takes options before the subcommand, and the unnamed one without its name", async () => {
    const call = async (...argv: string[]): Promise<unknown> => {
      const parsed = await parseCommandLine(argv, page);
      return parsed.kind === "call" ? { ...parsed.call, isJson: parsed.isJson } : parsed;
    };
    expect(await call("fleet", "--json", "--slots", "4", "worker")).toEqual({
      arguments: [],
      options: { slots: 4 },
      isJson: true,
    });
    const added = { arguments: ["1b3e"], options: { dryRun: true }, isJson: false };
    expect(await call("archive", "1b3e", "--dry-run")).toEqual(added);
    expect(await call("archive", "add", "1b3e", "--dry-run")).toEqual(added);
    expect(await call("archive", "--older-than", "1s")).toMatchObject({ options: { olderThan: 1000 } });
  });
});
