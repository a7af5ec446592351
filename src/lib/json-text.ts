import { jsonDepthMax } from "./limits.ts";

/** A value as JSON text. What is nested too deep for JSON.stringify, which then throws, is cut off where it becomes so. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "null";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(cutDepth(value), null, indent);
  }
}

/** The same value; a copy when something in it is nested too deep, with a sentence in its place. */
export function cutDepth<Value>(value: Value): Value {
  return isTooDeep(value, 0) ? (copyTo(value, 0) as Value) : value;
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= jsonDepthMax) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, depth + 1)) return true;
  return false;
}

function copyTo(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= jsonDepthMax) return `… nested deeper than ${jsonDepthMax} levels`;
  if (Array.isArray(value)) return value.map((inner) => copyTo(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyTo(inner, depth + 1)]));
}
