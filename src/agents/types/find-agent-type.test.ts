import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { agentTypeBytesMax, agentTypesMax } from "./limits.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { builtInAgentTypes, getAgentType, readAgentTypes } from "./index.ts";

interface Folders {
  cwd: string;
  configDir: string;
  project: string;
  user: string;
}

function folders(files: { project?: Record<string, string>; user?: Record<string, string> } = {}): Folders {
  const dir = tempDir();
  const cwd = path.join(dir, "project");
  const configDir = path.join(dir, "config");
  const project = path.join(cwd, ".claude", "agents");
  const user = path.join(configDir, "agents");
  for (const folder of [project, user]) fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files.project ?? {}))
    fs.writeFileSync(path.join(project, name), text);
  for (const [name, text] of Object.entries(files.user ?? {})) fs.writeFileSync(path.join(user, name), text);
  return { cwd, configDir, project, user };
}

const reviewer = `---
name: reviewer
description: Reviews changes
tools: Read, Grep
model: opus
color: blue
---

You review changes.
`;

describe("readAgentTypes()", () => {
  test("gives the built-in ones when there are no folders", async () => {
    const nowhere = path.join(tempDir(), "none");
    const { types, problems } = await readAgentTypes({ cwd: nowhere, configDir: nowhere });
    expect(types.map(({ name }) => name)).toEqual(["Explore", "Plan", "general-purpose"]);
    expect(types.every((type) => builtInAgentTypes.includes(type))).toBe(true);
    expect(problems).toEqual([]);
  });

  test("reads name, description, tools, model and what it is told", async () => {
    const { cwd, configDir, project } = folders({ project: { "reviewer.md": reviewer } });
    const { types } = await readAgentTypes({ cwd, configDir });
    expect(types.find(({ name }) => name === "reviewer")).toEqual({
      name: "reviewer",
      description: "Reviews changes",
      tools: ["Read", "Grep"],
      model: "opus",
      systemPrompt: "You review changes.",
      source: "project",
      path: path.join(project, "reviewer.md"),
    });
  });

  test("lets the project's win over the user's, and both over the built-in one", async () => {
    const named = (name: string, description: string): string =>
      `---\nname: ${name}\ndescription: ${description}\n---\n`;
    const { cwd, configDir } = folders({
      project: { "a.md": named("both", "project") },
      user: { "a.md": named("both", "user"), "b.md": named("Plan", "user") },
    });
    const { types } = await readAgentTypes({ cwd, configDir });
    const found = types.map(({ name, description, source }) => ({ name, description, source }));
    expect(found).toContainEqual({ name: "both", description: "project", source: "project" });
    expect(found).toContainEqual({ name: "Plan", description: "user", source: "user" });
    expect(found).toHaveLength(4);
  });

  test.each([
    ["a list of tools", "tools:\n  - Read\n  - Bash", { tools: ["Read", "Bash"] }],
    ["all tools", 'tools: "*"', {}],
    ["no tools named", "tools:", {}],
    ["the launcher's model", "model: inherit", {}],
    ["Windows line ends", "model: haiku\r", { model: "haiku" }],
  ])("understands %s", async (_, line, expected) => {
    const text = `\uFEFF---\nname: x\ndescription: y\n${line}\n---\nBody`;
    const { cwd, configDir } = folders({ user: { "x.md": text } });
    const type = await getAgentType("x", { cwd, configDir });
    expect(type).toEqual({
      name: "x",
      description: "y",
      systemPrompt: "Body",
      source: "user",
      path: expect.any(String),
      ...expected,
    });
  });

  test("reads front matter that is no YAML line by line, as the client does", async () => {
    const description = `Use this when asked: "why?" Examples: <example>user: x</example>`;
    const text = `---\nname: asker\ndescription: ${description}\ntools: Read\n---\n`;
    const { cwd, configDir } = folders({ user: { "asker.md": text } });
    expect(await getAgentType("asker", { cwd, configDir })).toMatchObject({ description, tools: ["Read"] });
  });

  test("reports files that are none, and reads the others", async () => {
    const { cwd, configDir, project } = folders({
      project: {
        "no-head.md": "Just text",
        "no-name.md": "---\ndescription: x\n---\n",
        "no-description.md": "---\nname: x\n---\n",
        "bad-name.md": "---\nname: ../../etc\ndescription: x\n---\n",
        "large.md": "x".repeat(agentTypeBytesMax + 1),
        "notes.txt": "not looked at",
        "reviewer.md": reviewer,
      },
    });
    fs.mkdirSync(path.join(project, "folder.md"));
    fs.symlinkSync("nowhere", path.join(project, "dangling.md"));
    const { types, problems } = await readAgentTypes({ cwd, configDir });
    expect(types.map(({ name }) => name)).toContain("reviewer");
    expect(problems.map(({ path: file }) => path.basename(file))).toEqual([
      "bad-name.md",
      "dangling.md",
      "folder.md",
      "large.md",
      "no-description.md",
      "no-head.md",
      "no-name.md",
    ]);
    expect(problems.every(({ reason }) => reason.length > 0)).toBe(true);
  });
});

test("readAgentTypes() reads no more files than a folder may have, and says so", async () => {
  const { cwd, configDir, user } = folders();
  for (let number = 0; number <= agentTypesMax; number++)
    fs.writeFileSync(path.join(user, `${number}.md`), "");
  const { problems } = await readAgentTypes({ cwd, configDir });
  expect(problems).toHaveLength(1 + agentTypesMax);
  expect(problems[0]).toEqual({ path: user, reason: "only the first 1000 of 1001 files are read" });
});

describe("getAgentType()", () => {
  test("says which types there are when there is none of that name", async () => {
    await expect(getAgentType("Explorer", folders())).rejects.toMatchObject({
      code: "task_refused",
      message: 'Cannot find agent type "Explorer": the types are Explore, Plan, general-purpose',
    });
  });

  test("says what is wrong with the file of that name", async () => {
    const where = folders({ user: { "mine.md": "Just text" } });
    await expect(getAgentType("mine", where)).rejects.toMatchObject({
      message: expect.stringContaining("mine.md: it has no front matter"),
    });
  });
});
