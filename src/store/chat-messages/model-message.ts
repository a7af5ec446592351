// The AI SDK's `ModelMessage` (package `ai`, 5 to 7), as far as a transcript can fill it, without depending on it.

export interface ModelTextPart {
  type: "text";
  text: string;
}

/** Base64 data or a URL. */
export interface ModelImagePart {
  type: "image";
  image: string;
  mediaType?: string;
}

export interface ModelFilePart {
  type: "file";
  /** Base64 data or a URL. */
  data: string;
  mediaType: string;
  filename?: string;
}

/** Thinking; the Anthropic provider takes its signature, or what was redacted, from the options. */
export interface ModelReasoningPart {
  type: "reasoning";
  text: string;
  providerOptions: { anthropic: { signature: string } | { redactedData: string } };
}

export interface ModelToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
}

export interface ModelToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: ModelToolOutput;
}

export type ModelToolOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: ModelToolContent[] };

/** The forms with `image-` and `file-` exist from version 6 of `ai` on. */
export type ModelToolContent =
  | ModelTextPart
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "image-url"; url: string }
  | { type: "file-data"; data: string; mediaType: string; filename?: string }
  | { type: "file-url"; url: string; mediaType: string };

export type ModelPart =
  | ModelTextPart
  | ModelImagePart
  | ModelFilePart
  | ModelReasoningPart
  | ModelToolCallPart
  | ModelToolResultPart;

export type ModelMessage =
  | { role: "user"; content: (ModelTextPart | ModelImagePart | ModelFilePart)[] }
  | { role: "assistant"; content: (ModelTextPart | ModelReasoningPart | ModelToolCallPart)[] }
  | { role: "tool"; content: ModelToolResultPart[] };

/** A message of any version, as it is read: every part is looked at before it is believed. */
export interface ModelMessageInput {
  role: "system" | "user" | "assistant" | "tool";
  content: string | readonly (ModelPart | { type: string })[];
}
