import { isJsonObject } from "../../format/json-object.ts";

/** What a key of a message must hold. */
export type Shape = Readonly<
  Record<string, "text" | "number" | "text, if any" | ((value: unknown) => boolean)>
>;

/**
 * Whether a message has what its readers use: whoever may write to a server may write anything, and one that is not as it
 * should be must break nobody's look at the others.
 */
export function hasShape(value: unknown, shape: Shape): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(shape).every(([key, wanted]) => {
    const found = value[key];
    if (typeof wanted === "function") return wanted(found);
    if (wanted === "number") return Number.isFinite(found);
    return typeof found === "string" || (found === undefined && wanted === "text, if any");
  });
}
