import { isBlock } from "./entry-kinds.ts";
import { isJsonObject } from "./json-object.ts";

/**
 * Why this cannot be written as an entry of a conversation; undefined when it can. Checked without zod, because every
 * append asks: as far as readers need it to find the entry, its parent and what it says. `parseEntry` checks the rest.
 */
export function whyNotWritable(draft: unknown): string | undefined {
  if (!isJsonObject(draft)) return "it is not an object";
  const { type, uuid, parentUuid, timestamp } = draft;
  if (uuid !== undefined && (typeof uuid !== "string" || uuid === "")) return '"uuid" is no text';
  if (parentUuid !== undefined && parentUuid !== null && typeof parentUuid !== "string")
    return '"parentUuid" is no text';
  if (timestamp !== undefined && typeof timestamp !== "string") return '"timestamp" is no text';
  switch (type) {
    case "user":
    case "assistant":
      return whyNoMessage(draft["message"]);
    case "attachment":
      return isBlock(draft["attachment"]) ? undefined : 'it has no "attachment" with a type';
    case "system":
      return isMaybeText(draft["subtype"]) && isMaybeText(draft["content"])
        ? undefined
        : 'its "subtype" or "content" is no text';
    default:
      return `its type ${JSON.stringify(type) ?? "is missing and"} is none of user, assistant, system, attachment`;
  }
}

function whyNoMessage(message: unknown): string | undefined {
  if (!isJsonObject(message)) return 'it has no "message"';
  const { role, content } = message;
  if (!isMaybeText(role)) return '"message.role" is no text';
  if (typeof content === "string") return undefined;
  return Array.isArray(content) && content.every(isBlock)
    ? undefined
    : '"message.content" is neither text nor a list of blocks with a type';
}

function isMaybeText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
