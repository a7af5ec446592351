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
export { appendPrompt, type AppendPromptOptions } from "./append-prompt.ts";
export { diffFiles, type DiffFilesOptions, type DiffObstacle, type FileDiff } from "./diff-files.ts";
export {
  filesAt,
  getSnapshot,
  readFileHistory,
  type FileHistory,
  type FileHistoryOptions,
  type FileSnapshot,
  type TrackedFile,
  type TrackedState,
} from "./file-history.ts";
export {
  listLargeOutputs,
  readLargeOutput,
  writeLargeOutput,
  type LargeOutput,
  type OutputPiece,
  type ReadLargeOutputOptions,
  type WriteLargeOutputOptions,
  type WrittenOutput,
} from "./large-outputs.ts";
export { writeLegacyTodos } from "./legacy-todos.ts";
export { listOrphans, type Orphan, type OrphanKind } from "./orphans.ts";
export { plansDir, readPlans, type Plan, type Plans, type PlansOptions } from "./plans.ts";
export {
  readPromptHistory,
  type HistoryRejection,
  type PromptHistory,
  type PromptHistoryOptions,
  type TypedPrompt,
} from "./prompt-history.ts";
export type { CompanionProblem, ProblemReason } from "./read-companion.ts";
export type { TargetRefusal } from "./restore-target.ts";
export { readSessionEnv, type SessionEnv, type SessionEnvFile } from "./session-env.ts";
export { readSettings, type Settings, type SettingsOptions } from "./settings.ts";
export { listTaskLists, readTaskList, type TaskList } from "./task-list.ts";
export type { TodoItem } from "./todo-item.ts";
export { readTodos, type TodoList, type Todos } from "./todos.ts";
export {
  undoFiles,
  type UndoChange,
  type UndoFilesOptions,
  type UndoRefusal,
  type UndoResult,
} from "./undo-files.ts";
