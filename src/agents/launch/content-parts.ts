import { textsIn } from "../../format/entry-kinds.ts";
import type { ContentPart } from "../../tasks/ports.ts";

/** Content as parts; a plain string is one text. */
export function partsOf(content: string | readonly ContentPart[]): readonly ContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The texts among the parts, also of entries, that say something. */
export function textsOf(content: string | readonly { type: string }[]): string[] {
  return textsIn(content).filter((text) => text.trim() !== "");
}
