/** What the record of a remote agent says beside what every agent's does. Secrets are named by their files. */
export interface RemoteSettings {
  /** The session on the fleet; its transcript here has the same id. */
  sessionId: string;
  run: number;
  /** Of its log (`logAddress`); older records have one of a page. */
  url: string;
  /** Links that stay inside of its workspace come home with it. */
  links?: boolean;
  /** How the fleet was reached when it was dispatched; what the follower's own surroundings say comes first. */
  address: RemoteAddress;
}

export interface RemoteAddress {
  servers: readonly string[];
  keyFile?: string | undefined;
  caFile?: string | undefined;
  tlsCertFile?: string | undefined;
  tlsKeyFile?: string | undefined;
}

/** The command that brings a remote run home. */
export function teleportCommand(taskId: string): string {
  return `holdfast teleport ${taskId}`;
}

/** The address of a session's log on the fleet. Commands take it as well as an id; no page answers to it. */
export function logAddress(sessionId: string): string {
  return `holdfast:fleet/${sessionId}`;
}

/** The session that the address of a log names, also one of a page; undefined for what is no such address. */
export function sessionOfAddress(text: string): string | undefined {
  if (!/^(?:https?:\/\/|holdfast:)/.test(text)) return undefined;
  try {
    return new URL(text).pathname.split("/").findLast((part) => part !== "");
  } catch {
    return undefined;
  }
}
