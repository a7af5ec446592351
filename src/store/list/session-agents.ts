import path from "node:path";
import { isUser, textOf, textsIn, toolResultsOf, toolUsesOf } from "../../format/entry-kinds.ts";
import type { Entry, UserEntry } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { codeOf } from "../../lib/errors.ts";
import { parseJson, readJson } from "../../lib/read-json.ts";
import { isArchivedLink } from "../archive/archive-manifest.ts";
import { findManifest } from "../archive/find-manifest.ts";
import { isPacked, readPacked } from "../archive/read-packed.ts";
import type { SessionRef } from "./find-session.ts";
import { agentIdOfFile, isInternalAgent } from "./agent-file.ts";
import { streamEntries } from "../read/stream-entries.ts";
import { listFlatAgents, listNestedAgents } from "./transcript-files.ts";

/** A sub-agent of a session, joined to the tool use that launched it where the files tell. */
export interface SessionAgent {
  agentId: string;
  layout: "nested" | "flat" | "workflow" | "inline";
  /** Its transcript; absent for one that lives inside the main file, or whose file is gone. */
  path?: string;
  agentType?: string;
  description?: string;
  prompt?: string;
  toolUseId?: string;
  /** The uuid of the assistant entry that launched it; for inline ones of the root of its sidechain. */
  launchedBy?: string;
  rootUuid?: string;
  /** A helper of the client itself (compaction, prompt suggestion), not work that somebody asked for. */
  internal: boolean;
}

/** Every sub-agent of a session: its own files in both layouts, and sidechains inside the main file. */
export async function listAgents(session: SessionRef): Promise<SessionAgent[]> {
  const launches = await readLaunches(session.path);
  const own = isPacked(session.path)
    ? packedAgents(session)
    : [...nestedAgents(session), ...flatAgents(session)];
  const agents = [...own, ...inlineAgents(launches)];
  const named = new Set(agents.map(({ agentId }) => agentId));
  for (const agentId of launches.byAgent.keys()) {
    if (!named.has(agentId)) agents.push({ agentId, layout: "nested", internal: isInternalAgent(agentId) });
  }
  return agents.map((agent) => join(agent, launches));
}

interface Launch {
  toolUseId: string;
  launchedBy: string;
  agentType?: string;
  description?: string;
  prompt?: string;
}

interface Launches {
  byTool: Map<string, Launch>;
  byAgent: Map<string, string>;
  /** Roots of sidechains inside the main file: uuid and prompt. */
  sidechainRoots: { uuid: string; prompt: string }[];
}

const launchingTools = new Set(["Task", "Agent"]);

async function readLaunches(file: string): Promise<Launches> {
  const launches: Launches = { byTool: new Map(), byAgent: new Map(), sidechainRoots: [] };
  try {
    for await (const line of streamEntries(file, { types: ["user", "assistant"] })) {
      if (line.kind === "entry") noteLaunch(line.entry, launches);
    }
  } catch (error) {
    // The transcript of the session is gone; those of its agents say less of themselves, but are there.
    if (codeOf(error) !== "session_not_found") throw error;
  }
  return launches;
}

function noteLaunch(entry: Entry, launches: Launches): void {
  const { uuid = "", isSidechain, parentUuid, toolUseResult } = entry as Partial<UserEntry>;
  for (const use of toolUsesOf(entry)) {
    if (!launchingTools.has(use.name)) continue;
    const input: Record<string, unknown> = isJsonObject(use.input) ? use.input : {};
    const { subagent_type: agentType, description, prompt } = input;
    launches.byTool.set(use.id, {
      toolUseId: use.id,
      launchedBy: uuid,
      ...(typeof agentType === "string" && { agentType }),
      ...(typeof description === "string" && { description }),
      ...(typeof prompt === "string" && { prompt }),
    });
  }
  if (isSidechain === true && isUser(entry) && !parentUuid)
    launches.sidechainRoots.push({ uuid, prompt: textOf(entry) });
  const [result] = toolResultsOf(entry);
  if (!result) return;
  const isLaunch = launches.byTool.has(result.tool_use_id);
  const agentId = agentIdOf(toolUseResult) ?? (isLaunch ? agentIdInText(result.content) : undefined);
  if (agentId !== undefined) launches.byAgent.set(agentId, result.tool_use_id);
}

function agentIdOf(toolUseResult: unknown): string | undefined {
  const id = (toolUseResult as { agentId?: unknown } | null | undefined)?.agentId;
  return typeof id === "string" ? id : undefined;
}

// Where the structured field is missing the text still names the id, in one wording or another. Only of a launch:
// any command may print such a line.
function agentIdInText(content: unknown): string | undefined {
  return /^agentId: ([A-Za-z0-9_@-]+)/m.exec(textsIn(content).join("\n"))?.[1];
}

function nestedAgents({ path: file, sessionId }: SessionRef): SessionAgent[] {
  const agents = listNestedAgents(path.join(path.dirname(file), sessionId));
  return agents.map(({ agentId, path: transcript, isOfWorkflow }) => {
    const layout = isOfWorkflow ? "workflow" : "nested";
    const internal = isInternalAgent(agentId);
    const facts = factsOf(readJson(metaName(transcript)));
    return Object.assign(facts, { agentId, layout, path: transcript, internal } as const);
  });
}

function flatAgents(session: SessionRef): SessionAgent[] {
  return listFlatAgents(session).map((file) => {
    const agentId = agentIdOfFile(path.basename(file))!;
    return { agentId, layout: "flat", path: file, internal: isInternalAgent(agentId) };
  });
}

// There are no folders to look into: the manifest says what there is.
function packedAgents(session: SessionRef): SessionAgent[] {
  const files = (findManifest(session)?.items ?? []).flatMap((item) => (isArchivedLink(item) ? [] : [item]));
  const packed = new Map(files.map((file) => [file.path, file.packed]));
  const project = path.posix.dirname(files[0]?.path ?? "");
  const own = `${project}/${session.sessionId}/subagents`;
  return files.flatMap(({ path: name, packed: transcript }): SessionAgent[] => {
    const agentId = agentIdOfFile(path.posix.basename(name));
    const dir = path.posix.dirname(name);
    const isFlat = dir === project;
    if (agentId === undefined || !(isFlat || dir === own || dir.startsWith(`${own}/`))) return [];
    const layout = isFlat ? "flat" : dir === own ? "nested" : "workflow";
    const meta = packed.get(metaName(name));
    const facts = factsOf(meta && parseJson(Buffer.concat([...readPacked(meta)])));
    return [{ ...facts, agentId, layout, path: transcript, internal: isInternalAgent(agentId) }];
  });
}

// Sidechains inside the main file have no id of their own; the root's uuid stands for one.
function inlineAgents({ sidechainRoots, byTool }: Launches): SessionAgent[] {
  const unclaimed = [...byTool.values()];
  return sidechainRoots.map(({ uuid, prompt }) => {
    const at = unclaimed.findIndex((launch) => launch.prompt === prompt);
    const [launch] = at < 0 ? [] : unclaimed.splice(at, 1);
    return { agentId: uuid, layout: "inline", rootUuid: uuid, internal: false, prompt, ...launch };
  });
}

function join(agent: SessionAgent, { byAgent, byTool }: Launches): SessionAgent {
  const launch = byTool.get(agent.toolUseId ?? byAgent.get(agent.agentId) ?? "");
  return { ...launch, ...agent };
}

function metaName(transcript: string): string {
  return transcript.replace(/\.jsonl$/, ".meta.json");
}

function factsOf(meta: unknown): Partial<SessionAgent> {
  const found: Partial<SessionAgent> = {};
  for (const key of ["agentType", "description", "toolUseId"] as const)
    if (isJsonObject(meta) && typeof meta[key] === "string") found[key] = meta[key];
  return found;
}
