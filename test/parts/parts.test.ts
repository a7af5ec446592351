import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as format from "../../src/format/index.ts";
import * as index from "../../src/index.ts";
import { isFamily } from "../../src/doors/cli/find-command.ts";
import { walkCommands } from "../../src/doors/cli/walk-commands.ts";
import { toolsNamed } from "../../src/agents/runners/anthropic/tools/tool-list.ts";
import { testHome } from "../support/index.ts";
import { otherVerbs, parts } from "./parts.ts";

const root = path.join(import.meta.dirname, "../..");
const pieces = Object.values(parts).flat();
const api = fs.readFileSync(path.join(root, "docs/api.md"), "utf8");

/** Everything that can be called on the runtime: `recover`, `sessions.plans`. */
function verbsOf(runtime: object, above = ""): string[] {
  return Object.entries(runtime).flatMap(([name, value]) => {
    if (typeof value === "function") return [`${above}${name}`];
    return above === "" && typeof value === "object" && value !== null
      ? verbsOf(value as object, `${name}.`)
      : [];
  });
}

async function typedWords(): Promise<Set<string>> {
  const typed = new Set<string>();
  for (const { path: name, command } of await walkCommands()) {
    typed.add(name);
    if (isFamily(command)) continue;
    for (const { flags } of command.options ?? [])
      for (const flag of flags.split(/[\s,]+/).filter((word) => word.startsWith("-")))
        typed.add(`${name} ${flag}`);
  }
  for (const file of fs.readdirSync(path.join(root, "src/doors/mcp")))
    if (file.endsWith("-tool.ts")) typed.add(`mcp.${file.slice(0, -"-tool.ts".length)}`);
  for (const { name } of toolsNamed(undefined)) typed.add(`agent.${name}`);
  return typed;
}

describe("the parts of Holdfast", () => {
  test("are each behind the library and behind a command or a tool, or say why not", () => {
    const bare = pieces.filter(
      ({ library, reached, because }) =>
        (library.length === 0 || reached.length === 0) && because === undefined,
    );
    expect(bare).toEqual([]);
    const needless = pieces.filter(
      ({ library, reached, because }) => library.length > 0 && reached.length > 0 && because !== undefined,
    );
    expect(needless).toEqual([]);
  });

  test("name verbs that the runtime has and the API reference explains", async () => {
    const home = testHome();
    await using runtime = index.openRuntime(home);
    const verbs = new Set(verbsOf(runtime));
    const isThere = (name: string): boolean => {
      const [room = "", own = ""] = name.split(".");
      if (room === "format") return own in format;
      if (room === "index") return own in index;
      return verbs.has(name) || name in runtime;
    };
    const named = pieces.flatMap(({ library }) => library);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
    expect(named.filter((name) => !new RegExp(`\\b${name.split(".").at(-1)}\\b`).test(api))).toEqual([]);
    const known = new Set([...named, ...Object.keys(otherVerbs)]);
    expect([...verbs].filter((verb) => !known.has(verb))).toEqual([]);
    expect(Object.keys(otherVerbs).filter((verb) => !verbs.has(verb))).toEqual([]);
  });

  test("name commands, options and tools that are there, and no command is of no part", async () => {
    const typed = await typedWords();
    const named = pieces.flatMap(({ reached }) => reached);
    expect(named.filter((words) => !typed.has(words))).toEqual([]);
    const used = new Set(named.map((words) => words.split(" ")[0]));
    const others = new Set(["config", "demo", "completion", "help", "version"]);
    const commands = [...typed].filter((words) => /^\w+$/.test(words));
    expect(commands.filter((name) => !used.has(name) && !others.has(name))).toEqual([]);
  });

  // The description of the parts is not ours to publish.
  const description = path.join(root, "../shared/docs/mission.md");
  test.skipIf(!fs.existsSync(description))("are those of the description, each by its words", () => {
    const text = fs.readFileSync(description, "utf8").split("\n## What none")[0]!;
    const spoken = (words: string): string => words.replace(/\s+/g, " ");
    const described = new Map<string, string>();
    for (const paragraph of text.split(/\n\n(?=\*\*P\d)/).slice(1))
      for (const [, number = ""] of paragraph.matchAll(/\b(P\d+) (?=[A-Z]|dash|lib)/g))
        if (!described.has(number)) described.set(number, spoken(paragraph));
    expect(Object.keys(parts).toSorted()).toEqual([...described.keys()].toSorted());
    const missing = Object.entries(parts).flatMap(([number, some]) =>
      some.map(({ said }) => spoken(said)).filter((said) => !described.get(number)?.includes(said)),
    );
    expect(missing).toEqual([]);
  });
});
