/** What the record of a remote agent says beside what every agent's does. Secrets are named by their files. */
export interface RemoteSettings {
  /** The session on the fleet; its transcript here has the same id. */
  sessionId: string;
  run: number;
  /** Of its log. */
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

/** The session that the URL of a log names; undefined for what is no such URL. */
export function sessionOfUrl(text: string): string | undefined {
  if (!/^https?:\/\//.test(text)) return undefined;
  try {
    return new URL(text).pathname.split("/").findLast((part) => part !== "");
  } catch {
    return undefined;
  }
}
