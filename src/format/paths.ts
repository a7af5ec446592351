import { join, sep } from "node:path";
import { nameBytesMax, projectKeyLengthMax } from "./limits.ts";

/** The folder name the client gives a working directory. Not reversible: the true cwd is in the entries. */
export const projectKey: (cwd: string) => string = rememberLatest(makeProjectKey);

// Names and paths are asked for once a task or session, of which most are of one home and one project.
function rememberLatest<Made>(make: (from: string) => Made): (from: string) => Made {
  let latest: { from: string; made: Made } | undefined;
  return (from) => {
    if (latest?.from !== from) latest = { from, made: make(from) };
    return latest.made;
  };
}

function makeProjectKey(cwd: string): string {
  const key = cwd.replace(/[^A-Za-z0-9]/g, "-");
  if (key.length <= projectKeyLengthMax) return key;
  return `${key.slice(0, projectKeyLengthMax)}-${pathHash(cwd)}`;
}

/**
 * Whether the folder named `key` may belong to `cwd`. For over-long paths only the prefix counts, because
 * the hash depends on how the client was built; confirm by the `cwd` key of an entry.
 */
export function projectKeyMatches(key: string, cwd: string): boolean {
  const own = projectKey(cwd);
  if (own.length <= projectKeyLengthMax) return key === own;
  const prefix = own.slice(0, projectKeyLengthMax + 1);
  return key.length > prefix.length && key.startsWith(prefix);
}

/** Whether `name` may become a single path component: it cannot leave its folder and fits a file system. */
export function isSafeName(name: string): boolean {
  if (name === "" || name === "." || name === "..") return false;
  if (/[/\\\0]/.test(name)) return false;
  return name.length <= nameBytesMax && Buffer.byteLength(name) <= nameBytesMax;
}

export interface SessionRef {
  readonly projectKey: string;
  readonly sessionId: string;
}

export interface SessionAgentRef extends SessionRef {
  readonly agentId: string;
}

/** The client's layout below its config folder. Every function throws a RangeError on an unsafe name. */
export interface ConfigPaths {
  readonly configDir: string;
  readonly projectsDir: string;
  projectDir(key: string): string;
  transcriptPath(ref: SessionRef): string;
  /** The folder beside a transcript that holds its sub-agents and spilled tool results. */
  sessionDir(ref: SessionRef): string;
  subagentsDir(ref: SessionRef): string;
  nestedAgentPath(ref: SessionAgentRef): string;
  nestedAgentMetaPath(ref: SessionAgentRef): string;
  toolResultsDir(ref: SessionRef): string;
  readonly todosDir: string;
  todosPath(ref: { readonly sessionId: string; readonly agentId: string }): string;
  readonly taskListsDir: string;
  /** A task list is named after its session, or has a name of its own when it is shared. */
  taskListDir(listName: string): string;
  readonly plansDir: string;
  readonly fileHistoryRootDir: string;
  fileHistoryDir(sessionId: string): string;
  readonly historyFile: string;
  readonly sessionEnvRootDir: string;
  sessionEnvDir(sessionId: string): string;
  readonly settingsFile: string;
  readonly mcpOutputsRootDir: string;
  mcpOutputsDir(sessionId: string): string;
}

export function configPaths(configDir: string): ConfigPaths {
  const at = namesBelow(configDir);
  const sessionDir = (ref: SessionRef): string => at("projects", ref.projectKey, ref.sessionId);
  const inSession = (ref: SessionRef, ...names: string[]): string =>
    at("projects", ref.projectKey, ref.sessionId, ...names);
  return {
    configDir,
    projectsDir: at("projects"),
    projectDir: (key) => at("projects", key),
    transcriptPath: (ref) => at("projects", ref.projectKey, `${safeName(ref.sessionId)}.jsonl`),
    sessionDir,
    subagentsDir: (ref) => inSession(ref, "subagents"),
    nestedAgentPath: (ref) => inSession(ref, "subagents", `agent-${ref.agentId}.jsonl`),
    nestedAgentMetaPath: (ref) => inSession(ref, "subagents", `agent-${ref.agentId}.meta.json`),
    toolResultsDir: (ref) => inSession(ref, "tool-results"),
    todosDir: at("todos"),
    todosPath: (ref) => at("todos", `${ref.sessionId}-agent-${ref.agentId}.json`),
    taskListsDir: at("tasks"),
    taskListDir: (listName) => at("tasks", listName),
    plansDir: at("plans"),
    fileHistoryRootDir: at("file-history"),
    fileHistoryDir: (sessionId) => at("file-history", sessionId),
    historyFile: at("history.jsonl"),
    sessionEnvRootDir: at("session-env"),
    sessionEnvDir: (sessionId) => at("session-env", sessionId),
    settingsFile: at("settings.json"),
    mcpOutputsRootDir: at("mcp-outputs"),
    mcpOutputsDir: (sessionId) => at("mcp-outputs", sessionId),
  };
}

// Where names below a folder lead. As `join`, but the folder's path is gone through once, and not for every name at every
// start of a command.
function namesBelow(dir: string): (...names: string[]) => string {
  const start = join(dir, "x").slice(0, -1);
  return (...names) => start + names.map(safeName).join(sep);
}

/** The settings files a project keeps in its own checkout; the local one wins over the shared one. */
export function projectSettingsFiles(cwd: string): { readonly shared: string; readonly local: string } {
  return {
    shared: join(cwd, ".claude", "settings.json"),
    local: join(cwd, ".claude", "settings.local.json"),
  };
}

/** Our own layout below `HOLDFAST_HOME`. Every function throws a RangeError on an unsafe name. */
export interface HoldfastPaths {
  readonly home: string;
  readonly projectsDir: string;
  projectDir(key: string): string;
  tasksDir(key: string): string;
  /** A file for each task that runs, of all projects. */
  readonly runningDir: string;
  /** A file for each task that has ended, of all projects, until the index has it. */
  readonly endedDir: string;
  /** Where the supervisors of tasks that end at the same moment look for processes together. */
  readonly lookingDir: string;
  /** A pipe for each task that waits for others, of all projects. */
  readonly waitingDir: string;
  projectManifestPath(key: string): string;
  /** While it is newer than the manifest, nothing of the project runs or waits to be told. */
  quietNotePath(key: string): string;
  readonly manifestsDir: string;
  /** `day` is a UTC day, `YYYY-MM-DD`. */
  manifestPath(day: string): string;
  readonly indexDir: string;
  readonly archiveDir: string;
  readonly trashDir: string;
  /** What an undo of file changes overwrote. */
  readonly undoDir: string;
  /** What repairs replaced or took away. */
  readonly repairsDir: string;
  readonly leasesDir: string;
  /** A file for each ending that somebody is telling, of a task of Holdfast or of a client. */
  readonly offersDir: string;
  offerPath(id: string): string;
  /** How commands ended whose client was gone: a file each, written by their own shells. */
  readonly clientEndingsDir: string;
  clientEndingPath(id: string): string;
  /** What queries in the background owe to a session: a file each. */
  owedDir(sessionId: string): string;
  /** Of the fleet: keys, the server of `fleet up`, runs that this machine works on. */
  readonly fleetDir: string;
  /** Of the dashboard: a file for each browser that was let in, and one for each server that runs. */
  readonly dashboardDir: string;
  readonly browsersDir: string;
  readonly serversDir: string;
  readonly configFile: string;
  /** Its time is that of the last run of the guard that keeps sessions from the client's sweep. */
  readonly keepRunFile: string;
  /** Its time is when a client last told a hook that a session began. */
  readonly hookRunFile: string;
}

/** The same object as long as the home is the same. */
export const holdfastPaths: (home: string) => HoldfastPaths = rememberLatest(pathsBelow);

function pathsBelow(home: string): HoldfastPaths {
  const at = namesBelow(home);
  return {
    home,
    projectsDir: at("projects"),
    projectDir: (key) => at("projects", key),
    tasksDir: rememberLatest((key) => at("projects", key, "tasks")),
    runningDir: at("running"),
    endedDir: at("ended"),
    lookingDir: at("looking"),
    waitingDir: at("waiting"),
    projectManifestPath: (key) => at("projects", key, "background.jsonl"),
    quietNotePath: (key) => at("projects", key, "background.quiet"),
    manifestsDir: at("manifests"),
    manifestPath: (day) => at("manifests", `background-${day}.jsonl`),
    indexDir: at("index"),
    archiveDir: at("archive"),
    trashDir: at("trash"),
    undoDir: at("undo"),
    repairsDir: at("repairs"),
    leasesDir: at("leases"),
    offersDir: at("offers"),
    offerPath: (id) => at("offers", id),
    clientEndingsDir: at("client-endings"),
    clientEndingPath: (id) => at("client-endings", id),
    owedDir: (sessionId) => at("owed", sessionId),
    fleetDir: at("fleet"),
    dashboardDir: at("dashboard"),
    browsersDir: at("dashboard", "browsers"),
    serversDir: at("dashboard", "servers"),
    configFile: at("config.json"),
    keepRunFile: at("keep-run"),
    hookRunFile: at("hook-run"),
  };
}

function safeName(name: string): string {
  if (isSafeName(name)) return name;
  throw new RangeError(`Cannot use ${JSON.stringify(name)} in a path: not a single file name`);
}

/** The client's string hash: 31-multiplier, signed 32 bit, over UTF-16 units, absolute value in base 36. */
function pathHash(path: string): string {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1) {
    hash = (Math.imul(hash, 31) + path.charCodeAt(index)) | 0;
  }
  return Math.abs(hash).toString(36);
}
