import { z } from "zod";

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
  type: ClientStateType;
  sessionId?: string;
}

export const clientStateTypes = [
  "agent-setting",
  "worktree-state",
  "relocated",
  "content-replacement",
  "bridge-session",
  "isolation-latch",
] as const;
export type ClientStateType = (typeof clientStateTypes)[number];

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
const textMaybe = z.string().exactOptional();

export const summaryEntrySchema: z.ZodType<SummaryEntry> = z.looseObject({
  type: z.literal("summary"),
  summary: text,
  leafUuid: textMaybe,
});

/** An entry that says one text of a session. */
function oneText<T>(type: string, key: string): z.ZodType<T> {
  const schema = z.looseObject({ type: z.literal(type), [key]: text, sessionId: textMaybe });
  // The compiler cannot follow a computed key; the tests of parseEntry do.
  return schema as unknown as z.ZodType<T>;
}

export const customTitleEntrySchema: z.ZodType<CustomTitleEntry> = oneText("custom-title", "customTitle");
export const aiTitleEntrySchema: z.ZodType<AiTitleEntry> = oneText("ai-title", "aiTitle");
export const agentNameEntrySchema: z.ZodType<AgentNameEntry> = oneText("agent-name", "agentName");
export const tagEntrySchema: z.ZodType<TagEntry> = oneText("tag", "tag");
export const modeEntrySchema: z.ZodType<ModeEntry> = oneText("mode", "mode");
export const permissionModeEntrySchema: z.ZodType<PermissionModeEntry> = oneText(
  "permission-mode",
  "permissionMode",
);

export const lastPromptEntrySchema: z.ZodType<LastPromptEntry> = z.looseObject({
  type: z.literal("last-prompt"),
  lastPrompt: textMaybe,
  leafUuid: textMaybe,
  sessionId: textMaybe,
});

export const prLinkEntrySchema: z.ZodType<PrLinkEntry> = z.looseObject({
  type: z.literal("pr-link"),
  prNumber: z.number().exactOptional(),
  prUrl: textMaybe,
  prRepository: textMaybe,
  timestamp: textMaybe,
  sessionId: textMaybe,
});

export const clientStateEntrySchema: z.ZodType<ClientStateEntry> = z.looseObject({
  type: z.enum(clientStateTypes),
  sessionId: textMaybe,
});
