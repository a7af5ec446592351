// npm run test:agents:real [-- AGENT…]
// Runs published agents through Holdfast against a scripted API on loopback, and compares what is seen with the table in
// docs/guide/agents.md. UPDATE_TABLE=1 writes the table. Agents that are missing are fetched once.
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { knownAgents } from "../../src/agents/runners/known/index.ts";
import { columns, seeAgent, type Cells } from "./cells.ts";
import { realAgents, type RealAgent } from "./real-agents.ts";
import { install, isKitThere, startScriptedApi, type ScriptedApi } from "./real-world.ts";

const guide = fileURLToPath(new URL("../../docs/guide/agents.md", import.meta.url));
const PORT = 18_931;

if (!isKitThere) {
  process.stdout.write("Skipped: what runs published agents is not beside this clone\n0 passed, 0 failed\n");
  process.exit(0);
}
const named = process.argv.slice(2);
const chosen = realAgents.filter(({ id }) => named.length === 0 || named.includes(id));
await using api = await startScriptedApi(PORT);
let failed = 0;
for (const agent of chosen) {
  const row = rowOf(agent, await seen(agent, api));
  const isKnown = fs
    .readFileSync(guide, "utf8")
    .split("\n")
    .some((line) => plain(line) === plain(row));
  if (!isKnown && process.env["UPDATE_TABLE"]) writeRow(agent, row);
  else if (!isKnown) failed++;
  process.stdout.write(`${isKnown ? "  " : "✗ "}${row}\n`);
}
process.stdout.write(`${chosen.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function seen(agent: RealAgent, scripted: ScriptedApi): Promise<Cells> {
  try {
    install(agent.id);
    return await seeAgent(agent, scripted);
  } catch (error) {
    const why = `no: ${(error as Error).message}`;
    return Object.fromEntries(columns.map((column) => [column, why])) as Cells;
  }
}

function rowOf({ id, name }: RealAgent, cells: Cells): string {
  const programs = { "claude-acp": "claude-agent-acp", pi: "pi-acp" } as Record<string, string>;
  const starts = knownAgents.find((known) => known.name === name)!.starts;
  const { tried } = starts.find(({ command }) => command === (programs[id] ?? id))!;
  return `| ${[tried, ...columns.map((column) => cells[column].replaceAll("|", "/"))].join(" | ")} |`;
}

function writeRow({ id }: RealAgent, row: string): void {
  const text = fs.readFileSync(guide, "utf8");
  const [first] = row.slice(2).split(" | ");
  const lines = text.split("\n").filter((line) => !plain(line).startsWith(`|${first}|`));
  const end = lines.indexOf("<!-- end of what was seen -->");
  if (end < 0) throw new Error(`Cannot write the row of ${id}: the guide has no table for it`);
  fs.writeFileSync(guide, lines.toSpliced(end - 1, 0, row).join("\n"));
}

// As it is written, whatever the columns are padded with.
function plain(line: string): string {
  return line.replaceAll(/\s*\|\s*/g, "|");
}
