import { z } from "zod";
import { maybe } from "./maybe.ts";

// Facts about a session, appended again and again; the last one of a type wins.

/** A title of some conversation, often another session's: only `leafUuid` says whose. Until 2.1.22. */
export interface SummaryEntry {
  type: "summary";
  summary: string;
  leafUuid?: string;
}

/** A title a person gave, or a worktree's name that the client stamped. */
export interface CustomTitleEntry {
  type: "custom-title";
  customTitle: string;
  sessionId?: string;
}

export interface AiTitleEntry {
  type: "ai-title";
  aiTitle: string;
  sessionId?: string;
}

export interface AgentNameEntry {
  type: "agent-name";
  agentName: string;
  sessionId?: string;
}

/** An empty tag clears the earlier one. */
export interface TagEntry {
  type: "tag";
  tag: string;
  sessionId?: string;
}

export interface ModeEntry {
  type: "mode";
  mode: string;
  sessionId?: string;
}

export interface PermissionModeEntry {
  type: "permission-mode";
  permissionMode: string;
  sessionId?: string;
}

export interface LastPromptEntry {
  type: "last-prompt";
  lastPrompt?: string;
  leafUuid?: string;
  sessionId?: string;
}

export interface PrLinkEntry {
  type: "pr-link";
  prNumber?: number;
  prUrl?: string;
  prRepository?: string;
  timestamp?: string;
  sessionId?: string;
}

/** Bookkeeping of late clients that Holdfast only keeps: nothing is known, or assumed, of its keys. */
export interface ClientStateEntry {
  type:
    | "agent-setting"
    | "worktree-state"
    | "relocated"
    | "content-replacement"
    | "bridge-session"
    | "isolation-latch";
  sessionId?: string;
}

export type SessionMetaEntry =
  | SummaryEntry
  | CustomTitleEntry
  | AiTitleEntry
  | AgentNameEntry
  | TagEntry
  | ModeEntry
  | PermissionModeEntry
  | LastPromptEntry
  | PrLinkEntry
  | ClientStateEntry;

// An entry that says one text of a session.
function oneText(key: string): z.ZodType {
  return z.looseObject({ [key]: z.string(), sessionId: z.string().exactOptional() });
}

const clientStateSchema = z.looseObject({ sessionId: z.string().exactOptional() });

/** By the type of the entry. */
export const sessionMetaSchemas: Readonly<Record<SessionMetaEntry["type"], z.ZodType>> = {
  summary: z.looseObject({ summary: z.string(), leafUuid: z.string().exactOptional() }),
  "custom-title": oneText("customTitle"),
  "ai-title": oneText("aiTitle"),
  "agent-name": oneText("agentName"),
  tag: oneText("tag"),
  mode: oneText("mode"),
  "permission-mode": oneText("permissionMode"),
  "last-prompt": z.looseObject(maybe(z.string(), "lastPrompt", "leafUuid", "sessionId")),
  "pr-link": z.looseObject({
    prNumber: z.number().exactOptional(),
    ...maybe(z.string(), "prUrl", "prRepository", "timestamp", "sessionId"),
  }),
  "agent-setting": clientStateSchema,
  "worktree-state": clientStateSchema,
  relocated: clientStateSchema,
  "content-replacement": clientStateSchema,
  "bridge-session": clientStateSchema,
  "isolation-latch": clientStateSchema,
};
