import { storeError } from "../errors.ts";
import { settings } from "./config-schema.ts";
import { whatIsWrong } from "./schema.ts";
import { listOf } from "./settle-config.ts";

/** The value of a setting from what was typed for it; undefined when nothing was. Throws `setting_invalid`. */
export function parseSetting(key: string, text: string | undefined): unknown {
  const schema = settings.get(key);
  if (!schema) {
    const message = `Cannot use setting "${key}": the settings are ${[...settings.keys()].join(", ")}`;
    throw storeError("setting_invalid", message, { fields: { key } });
  }
  if (text === undefined) return undefined;
  const value = schema.type === "string" ? text : schema.type === "array" ? listOf(text) : parsed(text);
  const wrong = whatIsWrong(value, schema, `"${key}"`);
  if (wrong === undefined) return value;
  throw storeError("setting_invalid", `Cannot set ${key} to ${JSON.stringify(text)}: ${wrong}`, {
    fields: { key },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
