import { isJsonObject } from "../../../format/json-object.ts";
import { beginningOf } from "../../../lib/whole-characters.ts";
import type { PermissionRequest } from "../../ports.ts";
import { questionInputLengthMax } from "./limits.ts";

/** What a tool was given, as a question carries it. */
export interface QuestionInput {
  input: PermissionRequest["input"];
  /** The rest is in the transcript, in the tool use that the question names. */
  isInputCut?: true;
}

/** The whole input of a tool, or its beginning when it is too long for a file that is written anew all the time. */
export function questionInput(input: PermissionRequest["input"]): QuestionInput {
  if (JSON.stringify(input).length <= questionInputLengthMax) return { input };
  const room = { left: questionInputLengthMax };
  return { input: cutValue(input, room) as PermissionRequest["input"], isInputCut: true };
}

// In the order of its keys: what a tool does stands before what it does it with, nearly always.
function cutValue(value: unknown, room: { left: number }): unknown {
  if (typeof value === "string") {
    const text = beginningOf(value, room.left);
    room.left -= text.length;
    return text;
  }
  room.left -= 10;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) if (room.left > 0) items.push(cutValue(item, room));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    if (room.left <= key.length) break;
    room.left -= key.length;
    kept[key] = cutValue(each, room);
  }
  return kept;
}
