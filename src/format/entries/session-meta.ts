import { z } from "zod";
import { maybe } from "./maybe.ts";
import type { SchemasBy } from "./open-union.ts";

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
    | "isolation-latch"
    | "agent-color"
    | "atis-latch"
    | "cost-state"
    | "frame-link"
    | "history-suppression";
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

const text = z.string();
const sessionId = z.string().exactOptional();
const clientState = z.looseObject({ sessionId });

export const sessionMetaSchemas: SchemasBy<"type", SessionMetaEntry> = {
  summary: z.looseObject({ summary: text, leafUuid: text.exactOptional() }),
  "custom-title": z.looseObject({ customTitle: text, sessionId }),
  "ai-title": z.looseObject({ aiTitle: text, sessionId }),
  "agent-name": z.looseObject({ agentName: text, sessionId }),
  tag: z.looseObject({ tag: text, sessionId }),
  mode: z.looseObject({ mode: text, sessionId }),
  "permission-mode": z.looseObject({ permissionMode: text, sessionId }),
  "last-prompt": z.looseObject(maybe(text, "lastPrompt", "leafUuid", "sessionId")),
  "pr-link": z.looseObject({
    prNumber: z.number().exactOptional(),
    ...maybe(text, "prUrl", "prRepository", "timestamp", "sessionId"),
  }),
  "agent-setting": clientState,
  "worktree-state": clientState,
  relocated: clientState,
  "content-replacement": clientState,
  "bridge-session": clientState,
  "isolation-latch": clientState,
  "agent-color": clientState,
  "atis-latch": clientState,
  "cost-state": clientState,
  "frame-link": clientState,
  "history-suppression": clientState,
};
