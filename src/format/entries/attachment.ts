import { z } from "zod";
import { contentSchema, type ContentBlock } from "./content-block.ts";
import { nodeSchema, type EntryEnvelope } from "./envelope.ts";
import { maybe } from "./maybe.ts";
import { openUnion, type SchemasBy, type UnknownType } from "./open-union.ts";

/** What was waiting in the prompt queue and reached the model in the middle of a turn. */
export interface QueuedCommandAttachment {
  type: "queued_command";
  prompt: string | ContentBlock[];
  /** Seen: `prompt`, `task-notification`. */
  commandMode?: string;
  origin?: { kind?: string } | null;
}

export interface HookAttachment {
  type:
    | "hook_success"
    | "hook_system_message"
    | "hook_additional_context"
    | "hook_cancelled"
    | "hook_blocking_error";
  /** Why a hook forbade something: a text, or an object that holds it. */
  blockingError?: unknown;
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
  type: UnknownType;
  [key: string]: unknown;
}

type KnownAttachment =
  | QueuedCommandAttachment
  | HookAttachment
  | FileAttachment
  | PlanModeAttachment
  | ReminderAttachment;

export type Attachment = KnownAttachment | OtherAttachment;

/** Context that the client injected for the model. */
export interface AttachmentEntry extends EntryEnvelope {
  type: "attachment";
  attachment: Attachment;
}

const textOrList = z.union([z.string(), z.array(z.unknown())]);

const hookSchema = z.looseObject({
  ...maybe(z.string(), "hookName", "hookEvent", "toolUseID", "stdout", "stderr", "command"),
  content: textOrList.exactOptional(),
  ...maybe(z.number(), "exitCode", "durationMs"),
});
const fileSchema = z.looseObject(maybe(z.string(), "filename", "path", "displayPath"));
const planModeSchema = z.looseObject({
  planFilePath: z.string().exactOptional(),
  planExists: z.boolean().exactOptional(),
});
const reminderSchema = z.looseObject({
  content: textOrList.exactOptional(),
  itemCount: z.number().exactOptional(),
});

const attachmentSchemas: SchemasBy<"type", KnownAttachment> = {
  queued_command: z.looseObject({
    prompt: contentSchema,
    commandMode: z.string().exactOptional(),
    origin: z.looseObject({ kind: z.string().exactOptional() }).nullable().exactOptional(),
  }),
  hook_success: hookSchema,
  hook_system_message: hookSchema,
  hook_additional_context: hookSchema,
  hook_cancelled: hookSchema,
  hook_blocking_error: hookSchema,
  file: fileSchema,
  directory: fileSchema,
  compact_file_reference: fileSchema,
  edited_text_file: fileSchema,
  plan_mode: planModeSchema,
  plan_mode_exit: planModeSchema,
  task_reminder: reminderSchema,
  todo_reminder: reminderSchema,
};

export const attachmentEntrySchema: z.ZodType<AttachmentEntry> = nodeSchema({
  type: z.literal("attachment"),
  attachment: openUnion<Attachment>({ key: "type", known: attachmentSchemas }),
});
