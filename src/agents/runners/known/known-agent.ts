import type { ReadCalls } from "./model-call.ts";

/**
 * What is known of one published agent: its programs, and all that they do otherwise than others. A new agent is a file
 * of this folder; no runner asks for a name.
 */
export interface KnownAgent {
  name: string;
  /** The ways to start it. The first whose program is on the PATH is taken. */
  starts: readonly KnownStart[];
}

export type KnownStart = StartOptions & (AcpStart | LinesStart);

interface StartOptions {
  command: string;
  args: readonly string[];
  /** The versions that the table in docs/guide/agents.md was seen with. */
  tried: string;
  /** `none` for an agent that asks nobody, whatever it is told. */
  fence: Fence | "none";
}

interface AcpStart {
  runner: "acp";
  habits?: AcpHabits;
}

interface LinesStart {
  runner: "stream-json";
  habits?: undefined;
  dialect: "claude" | "codex";
}

/** What makes an agent ask before it changes a file or runs a command. */
export interface Fence {
  /** In words, for who chooses an agent. */
  says: string;
  /** The mode of its session in which it asks. It is entered, and confirmed before the first prompt. */
  mode?: string;
  /** Further options of its session, by id, which are set and confirmed in the same way. */
  options?: Readonly<Record<string, string>>;
  /** Settings for this run, by its documented environment. */
  env?: Readonly<Record<string, string>>;
}

/** What an agent of the Agent Client Protocol does in a way of its own. */
export interface AcpHabits {
  /** Its names of tools that rules know by another name. */
  tools?: Readonly<Record<string, string>>;
  /** The title of its commands is the whole command; it tells no other input. */
  titlesAreCommands?: true;
  /** Reads the tokens of its requests from the session that it keeps itself. */
  readCalls?: ReadCalls;
  /** It is not offered files of ours, and uses its own. */
  usesOwnFiles?: true;
}
