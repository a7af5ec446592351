import type { Command } from "./command.ts";

export interface ListedCommand {
  name: string;
  summary: string;
  load(): Promise<Command>;
}

/** Every verb, in the order of the help. Only the one that is used is loaded. */
export const commandList: readonly ListedCommand[] = [
  {
    name: "run",
    summary: "Start a command in the background",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "chat",
    summary: "Talk to an agent, with its work in the background",
    load: async () => (await import("./commands/chat.ts")).chat,
  },
  {
    name: "agent",
    summary: "Start an agent in the background",
    load: async () => (await import("./commands/agent.ts")).agent,
  },
  {
    name: "resume",
    summary: "Go on with an agent that has ended, or with a session",
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "approve",
    summary: "Allow what an agent asks for",
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  {
    name: "deny",
    summary: "Deny what an agent asks for",
    load: async () => (await import("./commands/deny.ts")).deny,
  },
  {
    name: "ps",
    summary: "List tasks: what runs, what ended",
    load: async () => (await import("./commands/ps.ts")).ps,
  },
  {
    name: "logs",
    summary: "Show or follow the output of a task",
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "output",
    summary: "Wait for a task and read its output",
    load: async () => (await import("./commands/output.ts")).output,
  },
  {
    name: "wait",
    summary: "Wait for tasks to end, and pass their exit code on",
    load: async () => (await import("./commands/wait.ts")).wait,
  },
  {
    name: "stop",
    summary: "Stop tasks with everything they started",
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "send",
    summary: "Send text to a task",
    load: async () => (await import("./commands/send.ts")).send,
  },
  {
    name: "attach",
    summary: "Sit at the terminal of a task",
    load: async () => (await import("./commands/attach.ts")).attach,
  },
  {
    name: "inspect",
    summary: "Show everything known of a task",
    load: async () => (await import("./commands/inspect.ts")).inspect,
  },
  {
    name: "notices",
    summary: "List or take the news of ended tasks",
    load: async () => (await import("./commands/notices.ts")).notices,
  },
  {
    name: "events",
    summary: "Follow starts and ends of tasks",
    load: async () => (await import("./commands/events.ts")).events,
  },
  {
    name: "prune",
    summary: "Remove old ended tasks",
    load: async () => (await import("./commands/prune.ts")).prune,
  },
  {
    name: "sessions",
    summary: "List sessions, newest first",
    load: async () => (await import("./commands/sessions.ts")).sessions,
  },
  {
    name: "show",
    summary: "Read a session as a conversation",
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    name: "fork",
    summary: "Copy a session into a new one, up to a message",
    load: async () => (await import("./commands/fork.ts")).fork,
  },
  {
    name: "rename",
    summary: "Give a session a title",
    load: async () => (await import("./commands/rename.ts")).rename,
  },
  {
    name: "tag",
    summary: "Put a tag on a session",
    load: async () => (await import("./commands/tag.ts")).tag,
  },
  {
    name: "rm",
    summary: "Remove a session (to the trash) or an ended task",
    load: async () => (await import("./commands/rm.ts")).rm,
  },
  {
    name: "move",
    summary: "File a session under another working directory",
    load: async () => (await import("./commands/move.ts")).move,
  },
  {
    name: "export",
    summary: "Write a session as Markdown, HTML or JSON, without its secrets",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  {
    name: "search",
    summary: "Find messages in every session",
    load: async () => (await import("./commands/search.ts")).search,
  },
  {
    name: "index",
    summary: "Take new messages into the search index",
    load: async () => (await import("./commands/index-command.ts")).indexCommand,
  },
  {
    name: "usage",
    summary: "Count tokens and cost by day, project, model, session, task or agent",
    load: async () => (await import("./commands/usage.ts")).usage,
  },
  {
    name: "todos",
    summary: "Show the to-do lists of a session",
    load: async () => (await import("./commands/todos.ts")).todos,
  },
  {
    name: "files",
    summary: "Show, compare or undo what a session did to files",
    load: async () => (await import("./commands/files.ts")).files,
  },
  {
    name: "doctor",
    summary: "Check the health of everything, and repair it",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "archive",
    summary: "Pack old sessions, keep them from deletion, put them back",
    load: async () => (await import("./commands/archive.ts")).archive,
  },
  {
    name: "recover",
    summary: "Show what runs, what finished unseen and what was lost",
    load: async () => (await import("./commands/recover.ts")).recover,
  },
  {
    name: "plugin",
    summary: "Wire Holdfast into Claude Code's hooks, or take it out",
    load: async () => (await import("./commands/plugin.ts")).plugin,
  },
  {
    name: "hook",
    summary: "Answer a hook event of a client",
    load: async () => (await import("./commands/hook.ts")).hook,
  },
  {
    name: "statusline",
    summary: "Background work in one line, for a client's status line",
    load: async () => (await import("./commands/statusline.ts")).statusline,
  },
  {
    name: "mcp",
    summary: "Serve Holdfast as MCP tools on standard input and output",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "fleet",
    summary: "Run agents on other machines: server, workers, status",
    load: async () => (await import("./commands/fleet.ts")).fleet,
  },
  {
    name: "teleport",
    summary: "Bring a remote run home and go on with it here",
    load: async () => (await import("./commands/teleport.ts")).teleport,
  },
  {
    name: "demo",
    summary: "Take a tour on a temporary home that checks itself",
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  {
    name: "help",
    summary: "Explain a command",
    load: async () => (await import("./commands/help.ts")).help,
  },
];
