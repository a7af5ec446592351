/** A JSON object, as opposed to an array, null or a plain value. Says nothing about its keys. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
