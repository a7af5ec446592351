import { isJsonObject } from "../../../format/json-object.ts";
import { cutDepth } from "../../../lib/json-text.ts";
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
  const shallow = cutDepth(input);
  const isShort = JSON.stringify(shallow).length <= questionInputLengthMax;
  if (isShort && shallow === input) return { input };
  const cut = isShort ? shallow : (cutValue(shallow, questionInputLengthMax) as PermissionRequest["input"]);
  return { input: cut, isInputCut: true };
}

/** What is no longer than this is given whole, as long as there is room. */
const SHORT = 100;

// Each member has its share of the room, and short ones leave theirs to others: a long text may not push out what stands
// behind it, such as a command.
function cutValue(value: unknown, room: number): unknown {
  if (typeof value === "string") return beginningOf(value, Math.max(0, room));
  if (Array.isArray(value)) return Object.values(cutMembers(value, room));
  return isJsonObject(value) ? cutMembers(value, room) : value;
}

function cutMembers(members: object, room: number): Record<string, unknown> {
  const sized = Object.entries(members)
    .map(([key, each]) => ({ key, each, size: key.length + sizeOf(each) }))
    .toSorted((a, b) => a.size - b.size);
  // A member may be called `__proto__` or `constructor`.
  const cut = Object.create(null) as Record<string, unknown>;
  let left = room;
  for (const [index, { key, each, size }] of sized.entries()) {
    if (left <= key.length) break;
    const share = Math.max(Math.floor(left / (sized.length - index)), Math.min(size, SHORT)) - key.length;
    cut[key] = cutValue(each, share);
    left -= key.length + sizeOf(cut[key]);
  }
  return Object.fromEntries(Object.keys(members).flatMap((key) => (key in cut ? [[key, cut[key]]] : [])));
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
