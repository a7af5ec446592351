import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { configPaths, isSafeName, projectKey as projectKeyOf } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { readJson } from "../../lib/read-json.ts";
import { openSessionWriter, type SessionWriter } from "../../store/write/session-writer.ts";
import type { Durability } from "../../store/write/transcript-writer.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { TaskRecord } from "../../tasks/record/task-record.ts";
import type { AgentSettings, AgentTranscript } from "../../tasks/kinds/agent/agent-settings.ts";

/** Where transcripts are, and who says what time it is. */
export interface TranscriptPlace {
  home: string;
  /** The user's settings, where they are not in the home: prices among them. */
  settingsFile?: string | undefined;
  configDir: string;
  clock: Clock;
}

/** A sub-agent's file beside the session that launched it, wherever that is filed, or else a session of its own. */
export function placeTranscript(
  { configDir }: TranscriptPlace,
  { cwd, sessionId, agentId }: { cwd: string; sessionId?: string | undefined; agentId: string },
): AgentTranscript {
  const paths = configPaths(configDir);
  if (sessionId === undefined) {
    const ref = { projectKey: projectKeyOf(cwd), sessionId: randomUUID() };
    return { path: paths.transcriptPath(ref), sessionId: ref.sessionId };
  }
  const projectKey = projectOfSession(configDir, { cwd, sessionId });
  return { path: paths.nestedAgentPath({ projectKey, sessionId, agentId }), sessionId, agentId };
}

/** Opens it for writing: the lease of the transcript is held until the writer is closed. */
export function openTranscript(
  place: TranscriptPlace,
  { transcript, cwd, durability }: { transcript: AgentTranscript; cwd: string; durability: Durability },
): Promise<SessionWriter> {
  const { sessionId, agentId } = transcript;
  return openSessionWriter(place, {
    cwd,
    sessionId,
    projectKey: projectKeyOfPath(transcript),
    ...(agentId !== undefined && { agentId }),
    durability,
  });
}

/** The transcript as it is now: that of a main session moves when its session gets a new id, and the link follows. */
export function transcriptOf({ output }: TaskFiles, { transcript }: AgentSettings): AgentTranscript {
  let target: string;
  try {
    target = fs.readlinkSync(output);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EINVAL") return transcript;
    throw error;
  }
  if (target === transcript.path || transcript.agentId === undefined) return transcript;
  return { ...transcript, path: target, sessionId: path.basename(path.dirname(path.dirname(target))) };
}

/** What the client keeps beside a sub-agent's transcript; other keys that are there stay. */
export function writeMeta(transcript: AgentTranscript, values: Record<string, unknown>): void {
  if (transcript.agentId === undefined) return;
  const file = metaPath(transcript);
  const known = readJson(file) ?? {};
  writeFileAtomic(file, `${JSON.stringify({ ...known, ...values })}\n`);
}

/** The same beside another transcript of the agent. */
export function copyMeta(from: AgentTranscript, to: AgentTranscript): void {
  writeMeta(to, { ...(readJson(metaPath(from)) as object | undefined) });
}

/** What is known of an agent when it is launched. */
export function metaOf({ description, toolUseId, agent }: TaskRecord): Record<string, unknown> {
  return {
    agentType: agent?.type,
    description,
    ...(toolUseId !== undefined && { toolUseId }),
    ...(agent?.model !== undefined && { model: agent.model }),
    spawnDepth: agent?.depth,
  };
}

/** Removes a transcript that was just made for a launch that failed. */
export function removeTranscript(transcript: AgentTranscript): void {
  fs.rmSync(transcript.path, { force: true });
  if (transcript.agentId !== undefined) fs.rmSync(metaPath(transcript), { force: true });
}

function metaPath({ path: file }: AgentTranscript): string {
  return file.replace(/\.jsonl$/, ".meta.json");
}

/** A main transcript is in the project's folder, a sub-agent's two folders below. */
export function projectKeyOfPath({ path: file, agentId }: AgentTranscript): string {
  const dir = path.dirname(file);
  return path.basename(agentId === undefined ? dir : path.dirname(path.dirname(dir)));
}

// The project of the folder, unless the session is filed elsewhere. One that has said nothing yet has no file.
function projectOfSession(configDir: string, { cwd, sessionId }: { cwd: string; sessionId: string }): string {
  const paths = configPaths(configDir);
  const own = projectKeyOf(cwd);
  const holdsSession = (projectKey: string): boolean =>
    fs.existsSync(paths.transcriptPath({ projectKey, sessionId }));
  if (holdsSession(own)) return own;
  return namesIn(paths.projectsDir).filter(isSafeName).find(holdsSession) ?? own;
}
