import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FleetConnection } from "../../src/fleet/transport/connection.ts";
import { dispatchRun } from "../../src/fleet/transport/dispatch-run.ts";
import { parseEvent, type LogEvent } from "../../src/fleet/transport/log-event.ts";
import { readMessages } from "../../src/fleet/transport/log-reader.ts";
import { epochOf } from "../../src/fleet/transport/log-writer.ts";
import { logStream, logSubject } from "../../src/fleet/transport/names.ts";
import { findSessionState } from "../../src/fleet/transport/session-states.ts";
import type { ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import { countingRun } from "./count-runs.ts";

/** Agents that count: each step writes its number to a file of the session's own, through a real shell, and takes a moment. */
export interface CountingScript {
  /** The script. */
  file: string;
  /** Where the numbers are written, a file a session. */
  effectsDir: string;
  numbers: number;
}

export function writeCountingScript(
  dir: string,
  { numbers, eachMs }: { numbers: number; eachMs: number },
): CountingScript {
  const effectsDir = path.join(dir, "effects");
  fs.mkdirSync(effectsDir);
  // A run works in a folder that is named after its session.
  const session = '$(basename "$(dirname "$PWD")" | cut -c1-36)';
  const steps: ScriptStep[] = Array.from({ length: numbers }, (_, at) => ({
    run: `echo ${at + 1} >> "${effectsDir}/${session}"; sleep ${eachMs / 1000}; echo ${at + 1}`,
  }));
  const file = path.join(dir, "script.json");
  fs.writeFileSync(file, JSON.stringify([...steps, { text: "counted" }]));
  return { file, effectsDir, numbers };
}

export async function dispatchScripted(
  connection: FleetConnection,
  { file }: CountingScript,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  const agent = { runner: { name: "scripted", script: file }, permission: "allow", limits: {} } as const;
  for (let at = 0; at < count; at++)
    ids.push((await dispatchRun(connection, countingRun({ agent }))).sessionId);
  return ids;
}

/** A worker as users start it. */
export interface ScriptedWorker {
  child: ChildProcess;
  /** What it calls itself; undefined until it is ready. */
  id(): string | undefined;
  /** How often it has told of this. */
  told(kind: string): number;
  end(): Promise<void>;
}

export function startScriptedWorker({
  url,
  home,
  slots,
}: {
  url: string;
  home: string;
  slots: number;
}): ScriptedWorker {
  const command = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
  const child = spawn(process.execPath, [command, "fleet", "worker", "--slots", String(slots), "--json"], {
    env: { ...process.env, HOLDFAST_HOME: home, HOLDFAST_NATS_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told: { kind: string; workerId?: string }[] = [];
  createInterface({ input: child.stdout }).on("line", (line) =>
    told.push(JSON.parse(line) as { kind: string; workerId?: string }),
  );
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    child,
    id: () => told.find(({ kind }) => kind === "ready")?.workerId,
    told: (kind) => told.filter((event) => event.kind === kind).length,
    async end() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

export function hasBegun({ effectsDir }: CountingScript, sessionId: string): boolean {
  return fs.existsSync(path.join(effectsDir, sessionId));
}

/** What a finished session's log and files say of it. */
export interface ScriptedOutcome {
  /** What is wrong; nothing, if all is well. */
  problems: string[];
  /** Which workers took it, and when. */
  claims: { worker: string; at: number }[];
}

/**
 * Compares the log with what was done: every number asked for and answered once and in order, none done twice, each answered
 * one done, one end, and no event behind a claim that was written under an earlier one.
 */
export async function examineScripted(
  connection: FleetConnection,
  { effectsDir, numbers }: CountingScript,
  sessionId: string,
): Promise<ScriptedOutcome> {
  const kept = await findSessionState(connection, sessionId);
  const { shard, status } = kept!.state;
  const log = { stream: logStream(shard), subject: logSubject({ shard, sessionId }), from: 1 };
  const events: { event: LogEvent; epoch: number }[] = [];
  for await (const { id, data } of readMessages(connection, log))
    events.push({ event: parseEvent(data)!, epoch: epochOf(id) });
  const claims = events.flatMap(({ event }) => (event.kind === "claimed" ? [event] : []));
  const finished = events.filter(({ event }) => event.kind === "finished").length;
  const expected = Array.from({ length: numbers }, (_, at) => String(at + 1));
  const { asked, answered, interrupted } = toolsOf(events.map(({ event }) => event));
  const done = fs.readFileSync(path.join(effectsDir, sessionId), "utf8").trim().split("\n");
  const problems = [
    ...(status === "completed" ? [] : [`its state is ${status}`]),
    ...(finished === 1 && events.at(-1)?.event.kind === "finished"
      ? []
      : [`${finished} ends, or more behind it`]),
    ...(asked.join() === expected.join() ? [] : [`it asked for ${asked.join()}`]),
    ...([...answered].toSorted((a, b) => Number(a) - Number(b)).join() === expected.join()
      ? []
      : [`it was answered ${answered.join()}`]),
    ...done.filter((n, at) => done.indexOf(n) !== at).map((n) => `${n} was done twice`),
    ...expected
      .filter((n) => !interrupted.has(n) && !done.includes(n))
      .map((n) => `${n} has a result and was not done`),
    ...zombieWrites(events),
  ];
  return {
    problems: problems.map((problem) => `${sessionId}: ${problem}`),
    claims: claims.map(({ worker, at }) => ({ worker, at: Date.parse(at) })),
  };
}

interface Block {
  type: string;
  id?: string;
  tool_use_id?: string;
  content?: unknown;
}

// The numbers in the order in which they were asked for, and answered; an answer that is not the number is that of an
// interruption.
function toolsOf(events: readonly LogEvent[]): {
  asked: string[];
  answered: string[];
  interrupted: Set<string>;
} {
  const [asked, answered, interrupted] = [[] as string[], [] as string[], new Set<string>()];
  for (const event of events) {
    if (event.kind !== "entry") continue;
    const { content } = (event.entry["message"] ?? {}) as { content?: Block[] | string };
    for (const block of Array.isArray(content) ? content : []) {
      if (block.type === "tool_use") asked.push(numberOf(block.id));
      if (block.type !== "tool_result") continue;
      const number = numberOf(block.tool_use_id);
      answered.push(number);
      if (String(block.content).trim() !== number) interrupted.add(number);
    }
  }
  return { asked, answered, interrupted };
}

function numberOf(toolUseId: string | undefined): string {
  return /\d+$/.exec(toolUseId ?? "")?.[0] ?? "none";
}

function zombieWrites(events: readonly { event: LogEvent; epoch: number }[]): string[] {
  let newest = 0;
  return events.flatMap(({ event, epoch }) => {
    if (event.kind === "claimed") newest = event.epoch;
    return epoch === newest ? [] : [`a ${event.kind} of claim ${epoch} stands behind claim ${newest}`];
  });
}
