import { settings as settingSchemas } from "../../store/config/config-schema.ts";
import type { Setting, SettingSource } from "../../store/config/settle-config.ts";
import { settingText } from "../setting-text.ts";

/** A setting as a form shows it. */
export interface SettingView {
  key: string;
  /** Null when nothing is set and nothing holds by default. */
  value: unknown;
  /** The value as a person types it. */
  text: string;
  description: string;
  /** How it is typed. */
  form: { type: string; choices?: string[] };
  /** `name` is a variable or a file. */
  from: { kind: SettingSource["kind"]; name: string | null };
}

export function settingView({ key, description, value, from }: Setting): SettingView {
  const { type = "string", enum: choices } = settingSchemas.get(key) ?? {};
  return {
    key,
    value: value ?? null,
    text: settingText(value),
    description,
    form: { type, ...(choices && { choices: [...choices] }) },
    from: { kind: from.kind, name: "name" in from ? from.name : "path" in from ? from.path : null },
  };
}
