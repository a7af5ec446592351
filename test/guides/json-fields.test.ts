import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openGuideWorld, type GuideWorld } from "./guide-world.ts";

const page = fs.readFileSync(
  path.join(fileURLToPath(new URL("../..", import.meta.url)), "docs/reference/json.md"),
  "utf8",
);
const taskFields = namesIn(
  /\*\*A task\*\* has ([^]*?)Some tasks/.exec(page)![1]!.replaceAll(/\([^)]*\)/g, ""),
);

// What is typed, under which row of the page its answer is described.
const commands: [typed: string, row: string][] = [
  ["holdfast run --name build --json -- 'echo a'", "run"],
  ["holdfast wait build --json", "wait"],
  ["holdfast ps -a --json", "ps"],
  ["holdfast inspect build --json", "inspect"],
  ["holdfast output build --json", "output of a command"],
  ["holdfast logs build --json", "logs"],
  ["holdfast notices --json", "notices"],
  ["holdfast recover --json", "recover"],
  ["holdfast statusline --json", "statusline"],
  ["holdfast prune --dry-run --json", "prune"],
  ["holdfast rm build --json", "rm of a task"],
  ["holdfast run --stdin --name cat --json -- cat", "run"],
  ["holdfast send cat hello --json", "send"],
  ["holdfast stop cat --json", "stop"],
  ["holdfast agent --name answers 'Hello' >/dev/null; holdfast output answers --json", "output of an agent"],
  ["holdfast sessions --json", "sessions"],
  ["holdfast show 5c03 --json", "show"],
  ["holdfast fork 5c03 --json", "fork"],
  ["holdfast rename 5c03 X --json", "rename"],
  ["holdfast tag 5c03 X --json", "tag"],
  ["holdfast export 5c03 --format json", "export"],
  ["holdfast export 5c03 --format html -o x.html --json", "export -o FILE"],
  ["holdfast todos 5c03 --json", "todos"],
  ["holdfast companions 5c03 --json", "companions"],
  ["holdfast export 5c03 --format anthropic > talk.json; holdfast import talk.json --json", "import"],
  ["holdfast files 5c03 --json", "files"],
  ["holdfast files 5c03 --diff --json", "files --diff"],
  ["holdfast files 5c03 --undo --yes --json", "files --undo"],
  ["mkdir other; holdfast move 1b3e other --json", "move"],
  ["holdfast rm 1b3e --json", "rm"],
  ["holdfast rm --list --json", "rm --list"],
  ["holdfast rm --restore 1b3e --json", "rm --restore"],
  ["holdfast search parser --json", "search"],
  ["holdfast index --json", "index"],
  ["holdfast usage --json", "usage"],
  ["holdfast doctor --json", "doctor"],
  ["holdfast archive --older-than 1d --dry-run --json", "archive --dry-run"],
  ["holdfast archive 5c03 --json", "archive"],
  ["holdfast archive list --json", "archive list"],
  ["holdfast archive verify --json", "archive verify"],
  ["holdfast archive restore 5c03 --json", "archive restore"],
  ["holdfast archive keep on --json", "archive keep"],
  ["holdfast config --json", "config"],
  ["holdfast config get permission --json", "config get"],
  ["holdfast config set agent codex --json", "config set"],
  ["holdfast config path --json", "config path"],
  ["holdfast plugin install --json", "plugin install"],
  ["holdfast plugin uninstall --json", "plugin uninstall"],
  ["holdfast version --json", "version"],
  ["holdfast help --json", "help"],
];

// Every command is a process of its own.
const TIMEOUT_MS = 240_000;

test("docs/reference/json.md names the fields that --json prints", { timeout: TIMEOUT_MS }, async () => {
  await using world = await openGuideWorld([]);
  for (const [typed, row] of commands) {
    const described = fieldsOf(row);
    expect.soft(described.length, row).toBeGreaterThan(0);
    expect.soft(described, typed).toEqual(expect.arrayContaining(await printedBy(world, typed)));
  }
});

async function printedBy(world: GuideWorld, line: string): Promise<string[]> {
  const { stdout, stderr } = await world.run(line);
  try {
    const { schemaVersion, ...fields } = JSON.parse(stdout) as Record<string, unknown>;
    expect.soft(schemaVersion, line).toBe(1);
    return Object.keys(fields);
  } catch {
    throw new Error(`"${line}" printed no JSON: ${stdout}${stderr}`);
  }
}

function fieldsOf(row: string): string[] {
  const cells = page.split("\n").find((line) => namesOfRow(line).includes(row));
  const text = cells?.split(" | ").slice(1).join(" ") ?? "";
  return [...(text.includes("a task") ? taskFields : []), ...namesIn(text)];
}

// A row has one name, such as "rm of a task", or several commands that answer alike.
function namesOfRow(line: string): string[] {
  const name = (line.split(" | ")[0] ?? "").replace(/^\| /, "").trim();
  return [
    name.replaceAll("`", ""),
    ...(/^(`\w+` ?)+$/.test(name) ? name.replaceAll("`", "").split(" ") : []),
  ];
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)(?:\[\])?`/g)].map(([, name]) => name!);
}
