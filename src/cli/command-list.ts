import type { Command } from "./command.ts";

export interface ListedCommand {
  name: string;
  summary: string;
  load(): Promise<Command>;
}

/** Every verb, in the order of the help. Only the one that is used is loaded. */
export const commandList: readonly ListedCommand[] = [
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
    summary: "Move a session to the trash, or bring it back",
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
