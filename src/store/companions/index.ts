/**
 * The files that a client keeps beside its transcripts: to-do lists, plans, copies of edited files, typed prompts,
 * environments, settings, large outputs.
 *
 * Owns reading them in every era's form, the few writes that our own agents need, and undo.
 * Never deletes a companion, takes the client's locks, or reads the environment: folders are given.
 *
 * I1  A file that cannot be used is a returned problem with its path; it hides no other file.
 * I2  A name or path found in a transcript is believed only as far as names on disk bear it out.
 * I3  Nothing is written through a link, and nothing of the user's is overwritten before a copy of it is durable.
 */
export { listOrphans, type Orphan } from "./orphans.ts";
export { readSettings } from "./settings.ts";
export type { DiffRequest, FileDiff } from "./diff-files.ts";
export type { FileHistory, FileSnapshot, TrackedFile } from "./file-history.ts";
export type { LargeOutputPiece, WrittenOutput } from "./large-outputs.ts";
export type { LeftFile, LeftFiles, ReadLeftFileOptions } from "./left-files.ts";
export type { PromptHistory, TypedPrompt } from "./prompt-history.ts";
export type { Settings } from "./settings.ts";
export type { TodoItem } from "./todo-item.ts";
export type { TodoList, Todos } from "./todos.ts";
export type { UndoChange, UndoRequest, UndoResult } from "./undo-files.ts";
