import { isJsonObject } from "../../format/json-object.ts";

/** Something wrong in a transcript, and where. `offset` is that of the line. */
export type TranscriptDefect = LineDefect | LinkDefect | ToolDefect;

/** A line that is no entry. */
export interface LineDefect {
  kind: "torn-line" | "glued-lines" | "nul-bytes" | "foreign-line";
  offset: number;
  length: number;
}

/** An entry of the conversation whose parent cannot be followed. */
export interface LinkDefect {
  kind: "missing-parent" | "parent-cycle";
  offset: number;
  length: number;
  /** Where the conversation went on before it: the line to hang it on. Undefined when nothing is there. */
  bridgeTo?: { offset: number; length: number } | undefined;
}

/** A tool use that a resume would send to the model without a result. */
export interface ToolDefect {
  kind: "unanswered-tool";
  offset: number;
  length: number;
  toolUseId: string;
}

/** Whether a value that was kept has the shape of a defect. */
export function isDefect(value: unknown): value is TranscriptDefect {
  const { kind, offset, length } = isJsonObject(value) ? value : {};
  return typeof kind === "string" && typeof offset === "number" && typeof length === "number";
}
