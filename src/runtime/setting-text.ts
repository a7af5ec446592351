/** A setting as a person reads and types it. */
export function settingText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(",") : JSON.stringify(value);
}
