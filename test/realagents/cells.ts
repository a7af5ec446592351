import fs from "node:fs";
import path from "node:path";
import { waitFor } from "../support/wait-for.ts";
import type { RealAgent } from "./real-agents.ts";
import { openRealWorld, type Ran, type RealWorld, type ScriptedApi } from "./real-world.ts";

/** What was seen of one agent, by column. `yes`, or in words what else. */
export type Cells = Record<(typeof columns)[number], string>;

export const columns = ["start", "tool", "output", "edit", "tokens", "denies", "asks"] as const;

/** What every request of the scripted API uses. */
const TOKENS_OF_REQUEST = 1050;

export async function seeAgent(agent: RealAgent, api: ScriptedApi): Promise<Cells> {
  return {
    ...(await seeWork(agent, api)),
    ...(await seeDenial(agent, api)),
    ...(await seeQuestion(agent, api)),
  };
}

async function seeWork(agent: RealAgent, api: ScriptedApi): Promise<Omit<Cells, "denies" | "asks">> {
  const world = openRealWorld(agent.id, `${agent.id}-work`, api);
  const file = path.join(world.project, "new.txt");
  const steps = [
    "sh echo seen",
    "sh true",
    ...(agent.hasNoFileTool ? [] : [`write ${file} hello`]),
    "say Done.",
  ];
  const ran = await start(world, agent, { permission: "allow", steps });
  const { uses, results } = await blocksOf(world);
  const commands = uses.filter(({ name }) => name === "Bash").map(({ input }) => String(input?.["command"]));
  const usage = JSON.parse((await world.holdfast("usage", "--json")).stdout) as {
    totals: Record<string, number>;
  };
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = usage.totals;
  const tokens = inputTokens + outputTokens + cacheReadTokens;
  const expected = steps.length * TOKENS_OF_REQUEST;
  const isSilenceKept = !results.some((text) => text.includes("make it"));
  return {
    start: yesIf(ran.code === 0 && ran.stdout === "Done.\n", `exit ${ran.code}: ${ran.stdout}${ran.stderr}`),
    tool: yesIf(
      commands.some((command) => command.includes("echo seen")),
      `its commands: ${commands.join(", ")}`,
    ),
    output: yesIf(results.some((text) => text.includes("seen")) && isSilenceKept, "it is lost"),
    edit: agent.hasNoFileTool ? "not tried" : yesIf(fs.existsSync(file), "no file"),
    tokens: agent.isCountedTwice ? "not exact" : yesIf(tokens === expected, `${tokens}, not ${expected}`),
  };
}

async function seeDenial(agent: RealAgent, api: ScriptedApi): Promise<Pick<Cells, "denies">> {
  const world = openRealWorld(agent.id, `${agent.id}-denial`, api);
  const steps = [`${agent.asksBy} echo hi > denied.txt`, "say Done."];
  const ran = await start(world, agent, { permission: "deny", steps });
  if (fs.existsSync(path.join(world.project, "denied.txt"))) return { denies: "no: it wrote the file" };
  if (ran.code === 4) return { denies: "refused" };
  // Of one that is asked once before it begins, each command fails in the sandbox.
  if (agent.asks === "once before") return { denies: yesIf(ran.code === 0, `exit ${ran.code}`) };
  const { order } = await blocksOf(world);
  const isInPlace = order.indexOf("error") > order.indexOf("tool_use") && order.at(-1) !== "error";
  return {
    denies: yesIf(ran.code === 0 && isInPlace, `exit ${ran.code}: ${order.join(", ")} ${ran.stderr}`),
  };
}

async function seeQuestion(agent: RealAgent, api: ScriptedApi): Promise<Pick<Cells, "asks">> {
  const world = openRealWorld(agent.id, `${agent.id}-question`, api);
  const command = "echo hi > asked.txt";
  const steps = [`${agent.asksBy} ${command}`, "say Done."];
  const started = await start(world, agent, { permission: "ask", steps, isBackground: true });
  if (started.code === 4) return { asks: "refused" };
  const id = started.stdout.trim();
  const needed = await waitFor(() => questionOf(world, id), { timeoutMs: 60_000 });
  if (needed === "ended") return { asks: "no: it ended without a question" };
  const isWhole = agent.asks === "once before" || needed.title === `Run ${command}`;
  await world.holdfast("approve", id, "--request", needed.requestId);
  const ended = await world.holdfast("wait", id);
  const isDone = ended.code === 0 && fs.existsSync(path.join(world.project, "asked.txt"));
  if (!isWhole || !isDone) return { asks: `no: "${needed.title}", exit ${ended.code}` };
  return { asks: agent.asks ?? "yes" };
}

interface Question {
  requestId: string;
  title: string;
}

async function questionOf(world: RealWorld, id: string): Promise<Question | "ended" | undefined> {
  const { stdout } = await world.holdfast("inspect", id, "--json");
  const task = JSON.parse(stdout) as { status: string; needsInput?: Question };
  return task.needsInput ?? (task.status === "running" ? undefined : "ended");
}

interface Asked {
  permission: string;
  steps: string[];
  isBackground?: boolean;
}

function start(
  world: RealWorld,
  { name }: RealAgent,
  { permission, steps, isBackground }: Asked,
): Promise<Ran> {
  const wait = isBackground ? [] : ["--wait"];
  return world.holdfast(
    "agent",
    "--agent",
    name,
    "--permission",
    permission,
    ...wait,
    `{{${steps.join("|")}}}`,
  );
}

interface Block {
  type: string;
  name?: string;
  input?: Record<string, unknown>;
  content?: unknown;
  is_error?: boolean;
}

interface Seen {
  uses: Block[];
  results: string[];
  /** Kinds of blocks, one behind the other; `error` is the result of a tool that was not allowed or failed. */
  order: string[];
}

async function blocksOf(world: RealWorld): Promise<Seen> {
  const { stdout } = await world.holdfast("inspect", "@last", "--json");
  const { transcript } = JSON.parse(stdout) as { transcript: { path: string } };
  const lines = fs.readFileSync(transcript.path, "utf8").trimEnd().split("\n");
  const blocks = lines.flatMap((line) => {
    const { message } = JSON.parse(line) as { message?: { content?: string | Block[] } };
    return Array.isArray(message?.content) ? message.content : [];
  });
  return {
    uses: blocks.filter(({ type }) => type === "tool_use"),
    results: blocks
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => JSON.stringify(content)),
    order: blocks.map(({ type, is_error: isError }) => (isError ? "error" : type)),
  };
}

function yesIf(isSo: boolean, otherwise: string): string {
  return isSo ? "yes" : `no: ${otherwise.replaceAll(/\s+/g, " ").slice(0, 200)}`;
}
