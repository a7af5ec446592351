import { promptPreviewLengthMax, taskDescriptionLengthMax } from "../format/limits.ts";
import { isJsonObject } from "../format/json-object.ts";
import { cutText, oneLine } from "../format/short-text.ts";
import type { ProcessIdentity } from "../lib/process-identity.ts";
import { parseJson } from "../lib/read-json.ts";

/** What sort of background work: the words of a task's kind. */
export type ManifestKind = "local_bash" | "local_agent" | "remote_agent";
export type EndStatus = "completed" | "failed" | "stopped" | "lost";

/** In the place of an agent's type: a command that the client runs to hear of each line that it prints. */
export const MONITOR = "monitor";
/** In the place of an agent's type: a script of the client's that runs agents. */
export const WORKFLOW = "workflow";

/** What every line says. */
export interface LineStart {
  timestamp: string;
  /** The task's id, of whatever kind. */
  agent_id: string;
  /** Who launched it, or was told of it; empty when no session launched it. */
  session_id: string;
  cwd: string;
  source: "holdfast" | "hook";
}

/** A background launch. The keys up to `status`, with those above, are the ones that other tools of this kind write, too. */
export interface LaunchLine extends LineStart {
  /** `shell` for commands, `monitor` and `workflow` for the client's own tools of these names. */
  subagent_type: string;
  description: string;
  prompt_preview: string;
  output_file: string;
  status: "launched";
  kind: ManifestKind;
  /** Equal for the same work: see format/fingerprint.ts. Empty where its words are not known. */
  fingerprint: string;
  /** The branch that was checked out in its folder. */
  branch?: string;
  /** The model of an agent, as far as it was named. */
  model?: string;
  /** The name of the machine on which it was launched. */
  machine?: string;
  tool_use_id?: string;
  /** An agent's transcript. */
  transcript?: string;
  /** The client's process that launched it; when that is gone, nobody records its ending any more. */
  client?: ProcessIdentity;
}

/** How a foreign task ended. Holdfast's own need none: their ending is a file. */
export interface EndLine extends LineStart {
  status: EndStatus;
  summary?: string;
  /** The first lines of an agent's answer. */
  result?: string;
}

/** That a session was told of the ending: not necessarily the one that launched it. */
export interface SeenLine extends LineStart {
  status: "seen";
}

export type ManifestLine = LaunchLine | EndLine | SeenLine;

const STATUSES = new Set(["launched", "completed", "failed", "stopped", "lost", "seen"]);

/** A line of a manifest; undefined when it is none (torn by a full disk, or somebody else's). */
export function parseManifestLine(text: string): ManifestLine | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const texts = ["timestamp", "agent_id", "session_id", "cwd", "status"];
  if (texts.some((key) => typeof value[key] !== "string")) return undefined;
  if (!STATUSES.has(value["status"] as string)) return undefined;
  if (value["status"] === "launched" && typeof value["fingerprint"] !== "string") return undefined;
  return value as unknown as ManifestLine;
}

/** The short texts of a launch as the manifest keeps them: one line each, cut. */
export function launchTexts({ description, prompt }: { description: string; prompt: string }): {
  description: string;
  prompt_preview: string;
} {
  return {
    description: cutText(oneLine(description), taskDescriptionLengthMax),
    prompt_preview: Array.from(oneLine(prompt)).slice(0, promptPreviewLengthMax).join(""),
  };
}
