import os from "node:os";
import path from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where everything is that belongs to one user. */
export interface Places {
  /** Where Holdfast keeps its own state. */
  home: string;
  /** Where the client keeps transcripts and their companions. */
  configDir: string;
}

/** The login name, for the ending of a task that this person stops. */
export function userNameOf(variables: Variables): string {
  return variables["LOGNAME"] || variables["USER"] || loginName();
}

// A user id without an entry in the system's list has no name.
function loginName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "somebody";
  }
}

/** The user's own places, as the variables of the process name them. An empty variable counts as unset, as XDG asks. */
export function placesOf(
  variables: Variables,
  { userHome = os.homedir(), cwd }: { userHome?: string; cwd?: string } = {},
): Places {
  const folder = (name: string): string | undefined =>
    variables[name] ? path.resolve(cwd ?? "", variables[name]) : undefined;
  const stateHome = folder("XDG_STATE_HOME") ?? path.join(userHome, ".local", "state");
  return {
    home: folder("HOLDFAST_HOME") ?? path.join(stateHome, "holdfast"),
    configDir: folder("CLAUDE_CONFIG_DIR") ?? path.join(userHome, ".claude"),
  };
}
