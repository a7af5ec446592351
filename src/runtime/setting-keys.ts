import { settings } from "../store/config/config-schema.ts";

/** Every setting, by its path. */
export const settingKeys: readonly string[] = [...settings.keys()];
