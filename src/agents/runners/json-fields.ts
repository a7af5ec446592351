import { isJsonObject } from "../../format/json-object.ts";

/** The value at a dotted path (`message.content.0.text`), undefined when there is none. */
export function field(value: unknown, dotted: string): unknown {
  let current = value;
  for (const key of dotted.split(".")) {
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isJsonObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

export function textAt(value: unknown, dotted: string): string | undefined {
  const found = field(value, dotted);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: unknown, dotted: string): number | undefined {
  const found = field(value, dotted);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
