import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { carefulGit } from "./git.ts";
import { carriedRef, packWorkspace, type PackOptions, type PackedWorkspace } from "./pack-workspace.ts";
import { unpackWorkspace } from "./unpack-workspace.ts";

const git = carefulGit(process.env);

/** A part of a tree by hand: git itself makes no such trees, and somebody who means harm does. */
interface Item {
  mode: keyof typeof modes;
  name: string;
  of: string | Item[];
}
const link = (name: string, target: string): Item => ({ mode: "link", name, of: target });
const file = (name: string, text = "x"): Item => ({ mode: "file", name, of: text });
const folder = (name: string, ...of: Item[]): Item => ({ mode: "folder", name, of });

const modes = {
  folder: "040000 tree",
  file: "100644 blob",
  program: "100755 blob",
  link: "120000 blob",
  submodule: "160000 commit",
};

function hostileBundle(tree: Item[]): PackedWorkspace {
  const dir = tempDir();
  const run = (args: string[], input?: string): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: dir,
      input,
      encoding: "utf8",
    });
  run(["init", "-q"]);
  const write = (items: Item[]): string => {
    const lines = items.map(({ mode, name, of }) => `${modes[mode]} ${objectOf(mode, of)}\t${name}\0`);
    return run(["mktree", "-z", "--missing"], lines.join("")).trim();
  };
  const objectOf = (mode: Item["mode"], of: Item["of"]): string => {
    if (typeof of !== "string") return write(of);
    return mode === "submodule" ? of : run(["hash-object", "-w", "--stdin"], of).trim();
  };
  const work = run(["commit-tree", write(tree), "-m", "evil"]).trim();
  run(["update-ref", carriedRef, work]);
  const bundle = path.join(tempDir(), "evil.bundle");
  run(["bundle", "create", "-q", bundle, carriedRef]);
  const bytes = fs.statSync(bundle).size;
  return { file: bundle, bytes, work, base: work, hasHistory: false, subdir: "", leftOut: [] };
}

async function refusal(bundle: PackedWorkspace, { links }: { links: boolean }): Promise<string> {
  const dir = path.join(tempDir(), "there");
  const error: unknown = await unpackWorkspace(git, { ...bundle, dir, links }).catch(
    (thrown: unknown) => thrown,
  );
  // Before anything was written.
  expect(fs.readdirSync(dir)).toEqual([".git"]);
  expect(fs.readdirSync(path.join(dir, ".git")).includes("hooks")).toBe(false);
  expect(error).toMatchObject({ code: "bundle_refused" });
  return (error as Error).message.replace("Cannot unpack the workspace: ", "");
}

const commit = "1".repeat(40);
const modules = (text: string): Item[] => [
  file(".gitmodules", text),
  { mode: "submodule", name: "sub", of: commit },
];

describe("unpackWorkspace() refuses a bundle, whatever is allowed,", () => {
  test.each<[string, Item[], string]>([
    ["with a name that leads out", [folder("..", file("x"))], '"../x" leads out of the folder'],
    [
      "with one deeper that does",
      [folder("a", folder("..", folder("..", file("x"))))],
      '"a/../../x" leads out of the folder',
    ],
    ["with a folder named .", [folder(".", file("x"))], '"./x" leads out of the folder'],
    ["with a name that is a path elsewhere", [file("..\\x")], '"..\\x" is no name inside of the folder'],
    [
      "with a hook",
      [folder(".git", folder("hooks", { mode: "program", name: "pre-commit", of: "#!/bin/sh" }))],
      '".git/hooks/pre-commit" is a hook, which would run',
    ],
    [
      "with settings",
      [folder(".git", file("config"))],
      '".git/config" is a part of a repository\'s own folder',
    ],
    [
      "with a .git that is a file",
      [folder("a", file(".git", "gitdir: /x"))],
      '"a/.git" is a part of a repository\'s own folder',
    ],
    [
      "with a .GIT",
      [folder(".GIT", file("config"))],
      '".GIT/config" is a part of a repository\'s own folder',
    ],
    [
      "with a .Git behind others",
      [folder("a", folder(".giT", file("x")))],
      '"a/.giT/x" is a part of a repository\'s own folder',
    ],
    [
      "with its short name",
      [folder("GIT~1", file("config"))],
      '"GIT~1/config" is a part of a repository\'s own folder',
    ],
    [
      "with dots and spaces behind it",
      [folder(".git. .", file("x"))],
      '".git. ./x" is a part of a repository\'s own folder',
    ],
    [
      "with a stream behind it",
      [file(".git::$INDEX_ALLOCATION")],
      '".git::$INDEX_ALLOCATION" is a part of a repository\'s own folder',
    ],
    [
      "with letters in it that are not seen",
      [folder(".g\u200cit", file("x"))],
      '".g\u200cit/x" is a part of a repository\'s own folder',
    ],
    [
      "with a repository in disguise",
      [folder("a", file("HEAD"), folder("objects", file("x")), folder("refs", file("x")), file("config"))],
      '"a/HEAD" makes its folder a repository, whose hooks and settings git would use',
    ],
    [
      "with one that borrows its parts",
      [folder("a", file("HEAD"), file("commondir", "/x"))],
      '"a/HEAD" makes its folder a repository, whose hooks and settings git would use',
    ],
    ["with a link that is a folder, too", [link("a", "b"), folder("a", file("x"))], '"a" is there twice'],
    [
      "with a submodule that runs something",
      modules('[submodule "s"]\n\tupdate = !touch x\n'),
      '".gitmodules" has a submodule that would run "touch x"',
    ],
    [
      "with a submodule elsewhere",
      modules('[submodule "s"]\n\tpath = ../x\n'),
      '".gitmodules" has a submodule whose path leads elsewhere, "../x"',
    ],
    [
      "with a submodule's name that is a path",
      modules('[submodule "../../hooks"]\n\tpath = s\n'),
      '".gitmodules" has a submodule whose name leads elsewhere, "../../hooks"',
    ],
    [
      "with an address that is an option",
      modules('[submodule "s"]\n\turl = --upload-pack=x\n'),
      '".gitmodules" has a submodule whose address is a command, "--upload-pack=x"',
    ],
    [
      "with an address that is a command",
      modules('[submodule "s"]\n\turl = ext::sh -c x\n'),
      '".gitmodules" has a submodule whose address is a command, "ext::sh -c x"',
    ],
  ])("%s", async (_, tree, why) => {
    // A tree of two offences names the first and counts the others.
    const bundle = hostileBundle(tree);
    for (const links of [false, true]) expect(await refusal(bundle, { links })).toContain(why);
  });
});

describe("unpackWorkspace() refuses links", () => {
  test("of any kind unless they were asked for", async () => {
    const tree = [file("a.txt"), link("b", "a.txt"), link("c", "a.txt")];
    expect(await refusal(hostileBundle(tree), { links: false })).toBe(
      '"b" is a link; --links takes along those that stay inside of the folder (and 1 more)',
    );
  });

  test.each<[string, Item[], string]>([
    [
      "to an absolute place",
      [link("a", "/etc/passwd")],
      'the link "a" leads out of the folder, to "/etc/passwd"',
    ],
    ["to a place above", [link("a", "../x")], 'the link "a" leads out of the folder, to "../x"'],
    [
      "over a place above",
      [link("a", "../there/x")],
      'the link "a" leads out of the folder, to "../there/x"',
    ],
    [
      "that climb on their way",
      [folder("d", link("a", "x/../../../y"))],
      'the link "d/a" leads out of the folder, to "x/../../../y"',
    ],
    ["to nowhere", [link("a", "\\x")], 'the link "a" leads out of the folder, to "\\x"'],
    [
      "over another link",
      [folder("d", folder("e", file("x"))), link("a", "d/e"), link("b", "a/../../../x")],
      'the link "b" leads over another link, "a"',
    ],
    [
      "to another link",
      [file("x"), link("a", "x"), link("b", "a")],
      'the link "b" leads over another link, "a"',
    ],
    [
      "to another link in capitals",
      [file("x"), link("a", "x"), link("b", "A/x")],
      'the link "b" leads over another link, "A"',
    ],
    ["to themselves", [link("a", "a")], 'the link "a" leads over another link, "a"'],
    ["with something below them", [folder("A", file("x")), link("a", "b")], '"A/x" lies below a link'],
    ["into .git", [link("a", ".git/hooks")], 'the link "a" leads into a repository\'s own folder'],
    ["into .GIT", [link("a", "b/../.GIT/config")], 'the link "a" leads into a repository\'s own folder'],
    [
      "with a name that git reads",
      [file("x"), link(".gitmodules", "x")],
      'the link ".gitmodules" has a name that git reads',
    ],
  ])("%s, also when links were asked for", async (_, tree, why) => {
    expect(await refusal(hostileBundle(tree), { links: true })).toContain(why);
  });

  test("but takes those that stay inside, when they were asked for", async () => {
    const tree = [
      file("AGENTS.md", "words"),
      link("CLAUDE.md", "AGENTS.md"),
      folder("docs", link("README.md", "../AGENTS.md"), link("later", "./made/later.txt")),
    ];
    const dir = path.join(tempDir(), "there");
    await unpackWorkspace(git, { ...hostileBundle(tree), dir, links: true });
    expect(fs.readFileSync(path.join(dir, "CLAUDE.md"), "utf8")).toBe("words");
    expect(fs.readFileSync(path.join(dir, "docs/README.md"), "utf8")).toBe("words");
  });

  test("that an earlier bundle left where this one has its own", async () => {
    const dir = path.join(tempDir(), "there");
    const first = hostileBundle([folder("x", folder("y", link("d", "../../z"))), folder("z", file("f"))]);
    await unpackWorkspace(git, { ...first, dir, links: true });
    // Looked at by itself it stays inside; over the link of the first one it would not.
    const second = hostileBundle([file(".gitignore", "d\n"), link("l", "x/y/d/../../../q")]);
    await unpackWorkspace(git, { ...second, dir, links: true });
    expect(fs.existsSync(path.join(dir, "x"))).toBe(false);
  });
});

describe("packWorkspace()", () => {
  const packed = async (cwd: string, options: Partial<PackOptions>): Promise<PackedWorkspace | undefined> =>
    packWorkspace(git, { cwd, tempDir: tempDir(), links: false, onRefused: "throw", ...options });

  function folderWithLinks(): { cwd: string; run: (...args: string[]) => string } {
    const cwd = tempDir();
    const run = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd,
        encoding: "utf8",
      }).trim();
    run("init", "-q");
    fs.writeFileSync(path.join(cwd, "a.txt"), "1");
    run("add", "-A");
    run("commit", "-qm", "one");
    fs.symlinkSync("a.txt", path.join(cwd, "inside"));
    fs.symlinkSync("/etc/passwd", path.join(cwd, "outside"));
    return { cwd, run };
  }

  test("says to whoever sends a folder what would be refused there", async () => {
    const { cwd } = folderWithLinks();
    await expect(packed(cwd, {})).rejects.toThrow(
      `Cannot send the folder "${cwd}": "inside" is a link; --links takes along those that stay inside of the folder (and 1 more)`,
    );
    await expect(packed(cwd, { links: true })).rejects.toThrow(
      `Cannot send the folder "${cwd}": the link "outside" leads out of the folder, to "/etc/passwd"`,
    );
    fs.rmSync(path.join(cwd, "outside"));
    expect((await packed(cwd, { links: true }))?.leftOut).toEqual([]);
  });

  test("keeps an agent's work without what would be refused, committed or not", async () => {
    const { cwd, run } = folderWithLinks();
    const since = run("rev-parse", "HEAD");
    fs.mkdirSync(path.join(cwd, "inner"));
    execFileSync("git", ["init", "-q"], { cwd: path.join(cwd, "inner") });
    run("add", "inside", "outside");
    run("commit", "-qm", "two");
    fs.writeFileSync(path.join(cwd, "b.txt"), "2");
    const kept = (await packed(cwd, { since, onRefused: "leave-out" }))!;
    expect(kept).toMatchObject({ base: since, hasHistory: true });
    expect(kept.leftOut.map(({ name }) => name)).toEqual(["inner", "inside", "outside"]);
    const dir = path.join(tempDir(), "there");
    execFileSync("git", ["clone", "-q", cwd, dir]);
    await unpackWorkspace(git, { ...kept, dir, links: false });
    expect(fs.readdirSync(dir).toSorted()).toEqual([".git", "a.txt", "b.txt"]);
  });

  test("leaves at home what only this clone ignores", async () => {
    const { cwd } = folderWithLinks();
    fs.appendFileSync(path.join(cwd, ".git/info/exclude"), "inside\noutside\n");
    expect(await packed(cwd, { since: "0".repeat(40) })).toMatchObject({ leftOut: [] });
  });

  test("refuses a repository inside of the folder, whose files it would not carry", async () => {
    const cwd = tempDir();
    fs.mkdirSync(path.join(cwd, "inner"));
    execFileSync("git", ["init", "-q"], { cwd: path.join(cwd, "inner") });
    fs.writeFileSync(path.join(cwd, "inner/a.txt"), "1");
    await expect(packed(cwd, {})).rejects.toThrow(/"inner" is a repository of its own/);
  });
});
