import type { ListedCommand } from "./command.ts";

export interface RootCommand extends ListedCommand {
  /** Under which heading the help lists it. */
  group: string;
}

/** Every verb, in the order of the help. Only the one that is used is loaded. */
export const commandList: readonly RootCommand[] = [
  ...group("Dashboard", [
    listed("up", "Serve the dashboard: everything in a browser", () => import("./commands/up.ts")),
    listed("open", "Open the dashboard, or a task or session in it", () => import("./commands/open.ts")),
  ]),
  ...group("Tasks", [
    listed("run", "Start a command in the background", () => import("./commands/run.ts")),
    listed("ps", "List tasks: what runs, what ended", () => import("./commands/ps.ts")),
    listed(
      "top",
      "Watch tasks, their questions and output, and act on them",
      () => import("./commands/top.ts"),
    ),
    listed("logs", "Show or follow the output of a task", () => import("./commands/logs.ts")),
    listed("output", "Wait for a task and read its output", () => import("./commands/output.ts")),
    listed(
      "wait",
      "Wait for tasks to end, and exit with their exit code",
      () => import("./commands/wait.ts"),
    ),
    listed("stop", "Stop tasks with everything they started", () => import("./commands/stop.ts")),
    listed("restart", "Run the command of a task again", () => import("./commands/restart.ts")),
    listed("send", "Send text to a task", () => import("./commands/send.ts")),
    listed("attach", "Connect to the terminal of a task", () => import("./commands/attach.ts")),
    listed("inspect", "Show everything that is known about a task", () => import("./commands/inspect.ts")),
    listed("notices", "List or take the notices of ended tasks", () => import("./commands/notices.ts")),
    listed("events", "Follow starts and ends of tasks", () => import("./commands/events.ts")),
    listed("retain", "Keep a task from being pruned", () => import("./commands/retain.ts")),
    listed("prune", "Remove old ended tasks", () => import("./commands/prune.ts")),
  ]),
  ...group("Agents", [
    listed("chat", "Talk to an agent; its work can go to the background", () => import("./commands/chat.ts")),
    listed("agent", "Start an agent in the background", () => import("./commands/agent.ts")),
    listed("resume", "Continue an ended agent, or a session", () => import("./commands/resume.ts")),
    listed("approve", "Allow what an agent asks for", () => import("./commands/approve.ts")),
    listed("deny", "Deny what an agent asks for", () => import("./commands/deny.ts")),
  ]),
  ...group("Sessions", [
    listed("sessions", "List sessions, newest first", () => import("./commands/sessions.ts")),
    listed("show", "Read a session as a conversation", () => import("./commands/show.ts")),
    listed("fork", "Copy a session into a new one, up to a message", () => import("./commands/fork.ts")),
    listed("rename", "Give a session a title", () => import("./commands/rename.ts")),
    listed("tag", "Put a tag on a session", () => import("./commands/tag.ts")),
    listed("rm", "Remove a session (to the trash) or an ended task", () => import("./commands/rm.ts")),
    listed("move", "File a session under another working directory", () => import("./commands/move.ts")),
    listed(
      "export",
      "Write a session as Markdown, HTML or JSON, without its secrets",
      () => import("./commands/export.ts"),
    ),
    listed("todos", "Show the to-do lists of a session", () => import("./commands/todos.ts")),
    listed("files", "Show, compare or undo what a session did to files", () => import("./commands/files.ts")),
    listed(
      "archive",
      "Pack old sessions, keep them from deletion, put them back",
      () => import("./commands/archive.ts"),
    ),
  ]),
  ...group("Search and usage", [
    listed("search", "Find messages in sessions, and tasks", () => import("./commands/search.ts")),
    listed("index", "Add new messages to the search index", () => import("./commands/index-command.ts")),
    listed(
      "usage",
      "Count tokens and cost by day, project, model, session, task or agent",
      () => import("./commands/usage.ts"),
    ),
  ]),
  ...group("Recovery and health", [
    listed(
      "recover",
      "Show what runs, what finished unseen and what was lost",
      () => import("./commands/recover.ts"),
    ),
    listed("doctor", "Check the health of everything, and repair it", () => import("./commands/doctor.ts")),
  ]),
  ...group("Clients", [
    listed(
      "plugin",
      "Add Holdfast's hooks to Claude Code, or remove them",
      () => import("./commands/plugin.ts"),
    ),
    listed("hook", "Answer a hook event of a client", () => import("./commands/hook.ts")),
    listed(
      "statusline",
      "Background work in one line, for a client's status line",
      () => import("./commands/statusline.ts"),
    ),
    listed(
      "mcp",
      "Serve Holdfast as MCP tools on standard input and output",
      () => import("./commands/mcp.ts"),
    ),
  ]),
  ...group("Fleet", [
    listed(
      "fleet",
      "Run agents on other machines: server, workers, status",
      () => import("./commands/fleet.ts"),
    ),
    listed(
      "teleport",
      "Bring a remote run home and continue it here",
      () => import("./commands/teleport.ts"),
    ),
  ]),
  ...group("First steps and settings", [
    listed("config", "Show or change settings", () => import("./commands/config.ts")),
    listed("demo", "Take a tour that checks itself, on a temporary home", () => import("./commands/demo.ts")),
    listed(
      "completion",
      "Print the script that completes commands, ids and names",
      () => import("./commands/completion.ts"),
    ),
    listed("help", "Explain a command", () => import("./commands/help.ts")),
    listed("version", "Print the version", () => import("./commands/version.ts")),
  ]),
];

/** What somebody needs in the first week: all that `holdfast` alone lists, so that it fits one screen. */
export const everydayCommands: readonly { group: string; names: readonly string[] }[] = [
  { group: "Tasks", names: ["run", "ps", "logs", "stop", "up"] },
  { group: "Agents", names: ["chat", "agent", "resume"] },
  { group: "Sessions", names: ["sessions", "show", "search"] },
];

/** What people type, too, and the command that they mean. */
export const commandAliases: Readonly<Record<string, string>> = {
  ls: "sessions",
  list: "sessions",
  status: "ps",
  kill: "stop",
  "--version": "version",
  "-V": "version",
  "-v": "version",
};

export function aliasesOf(name: string): string[] {
  return Object.keys(commandAliases).filter((alias) => commandAliases[alias] === name);
}

function group(title: string, commands: readonly ListedCommand[]): RootCommand[] {
  return commands.map((command) => ({ ...command, group: title }));
}

/** One line of a list. */
export function listed(name: string, summary: string, load: ListedCommand["load"]): ListedCommand {
  return { name, summary, load };
}
