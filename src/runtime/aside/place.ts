import type { Variables } from "../places.ts";

/** Where a thread works: it opens a runtime of its own on the same home. */
export interface AsidePlace {
  home: string;
  configDir: string;
  settingsFile: string;
  env: Variables;
}
