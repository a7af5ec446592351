import os from "node:os";
import path from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where everything is that belongs to one user. */
export interface Places {
  /** Where Holdfast keeps its own state. */
  home: string;
  /** Where the client keeps transcripts and their companions. */
  configDir: string;
  /** The user's own settings. */
  settingsFile: string;
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
  const home = folder("HOLDFAST_HOME") ?? ownHome({ userHome, stateHome: folder("XDG_STATE_HOME") });
  return {
    home,
    configDir: folder("CLAUDE_CONFIG_DIR") ?? path.join(userHome, ".claude"),
    settingsFile: settingsFileOf(home, variables, { userHome }),
  };
}

function ownHome({ userHome, stateHome }: { userHome: string; stateHome: string | undefined }): string {
  return path.join(stateHome ?? path.join(userHome, ".local", "state"), "holdfast");
}

/**
 * Where the settings for a home are: in the config folder of the platform. A home that somebody chose has them in itself, so
 * that what is tried there neither sees nor changes the user's own.
 */
export function settingsFileOf(
  home: string,
  variables: Variables,
  { userHome = os.homedir(), platform = process.platform }: { userHome?: string; platform?: string } = {},
): string {
  if (home !== path.resolve(ownHome({ userHome, stateHome: variables["XDG_STATE_HOME"] || undefined })))
    return path.join(home, "config.json");
  const folders = platform === "darwin" ? ["Library", "Application Support"] : [".config"];
  const configHome = variables["XDG_CONFIG_HOME"] || path.join(userHome, ...folders);
  return path.join(configHome, "holdfast", "config.json");
}
