import { z } from "zod";
import { contentSchema, type ContentBlock } from "./content-block.ts";
import { nodeSchema, type EntryEnvelope } from "./envelope.ts";
import { maybe } from "./maybe.ts";
import { openUnion } from "./open-union.ts";

/** What was waiting in the prompt queue and reached the model in the middle of a turn. */
export interface QueuedCommandAttachment {
  type: "queued_command";
  prompt: string | ContentBlock[];
  /** Seen: `prompt`, `task-notification`. */
  commandMode?: string;
  origin?: { kind?: string } | null;
}

export interface HookAttachment {
  type: "hook_success" | "hook_system_message" | "hook_additional_context" | "hook_cancelled";
  hookName?: string;
  hookEvent?: string;
  toolUseID?: string;
  content?: string | unknown[];
  stdout?: string;
  stderr?: string;
  exitCode?: number;
  command?: string;
  durationMs?: number;
}

export interface FileAttachment {
  type: "file" | "directory" | "compact_file_reference" | "edited_text_file";
  filename?: string;
  path?: string;
  displayPath?: string;
  content?: unknown;
}

export interface PlanModeAttachment {
  type: "plan_mode" | "plan_mode_exit";
  planFilePath?: string;
  planExists?: boolean;
}

/** The to-do list as it was shown to the model. */
export interface ReminderAttachment {
  type: "task_reminder" | "todo_reminder";
  content?: string | unknown[];
  itemCount?: number;
}

/** Any other attachment: tool and skill listings, permissions, date changes, and types yet to come. */
export interface OtherAttachment {
  type: string;
  [key: string]: unknown;
}

export type Attachment =
  | QueuedCommandAttachment
  | HookAttachment
  | FileAttachment
  | PlanModeAttachment
  | ReminderAttachment
  | OtherAttachment;

/** Context that the client injected for the model. */
export interface AttachmentEntry extends EntryEnvelope {
  type: "attachment";
  attachment: Attachment;
}

const textOrList = z.union([z.string(), z.array(z.unknown())]);

const queuedCommandSchema: z.ZodType<QueuedCommandAttachment> = z.looseObject({
  type: z.literal("queued_command"),
  prompt: contentSchema,
  commandMode: z.string().exactOptional(),
  origin: z.looseObject({ kind: z.string().exactOptional() }).nullable().exactOptional(),
});

const hookSchema: z.ZodType<HookAttachment> = z.looseObject({
  type: z.enum(["hook_success", "hook_system_message", "hook_additional_context", "hook_cancelled"]),
  ...maybe(z.string(), "hookName", "hookEvent", "toolUseID"),
  content: textOrList.exactOptional(),
  ...maybe(z.string(), "stdout", "stderr", "command"),
  ...maybe(z.number(), "exitCode", "durationMs"),
});

const fileSchema: z.ZodType<FileAttachment> = z.looseObject({
  type: z.enum(["file", "directory", "compact_file_reference", "edited_text_file"]),
  ...maybe(z.string(), "filename", "path", "displayPath"),
});

const planModeSchema: z.ZodType<PlanModeAttachment> = z.looseObject({
  type: z.enum(["plan_mode", "plan_mode_exit"]),
  planFilePath: z.string().exactOptional(),
  planExists: z.boolean().exactOptional(),
});

const reminderSchema: z.ZodType<ReminderAttachment> = z.looseObject({
  type: z.enum(["task_reminder", "todo_reminder"]),
  content: textOrList.exactOptional(),
  itemCount: z.number().exactOptional(),
});

export const attachmentEntrySchema: z.ZodType<AttachmentEntry> = nodeSchema({
  type: z.literal("attachment"),
  attachment: openUnion<Attachment>({
    key: "type",
    known: {
      queued_command: queuedCommandSchema,
      hook_success: hookSchema,
      hook_system_message: hookSchema,
      hook_additional_context: hookSchema,
      hook_cancelled: hookSchema,
      file: fileSchema,
      directory: fileSchema,
      compact_file_reference: fileSchema,
      edited_text_file: fileSchema,
      plan_mode: planModeSchema,
      plan_mode_exit: planModeSchema,
      task_reminder: reminderSchema,
      todo_reminder: reminderSchema,
    },
  }),
});
