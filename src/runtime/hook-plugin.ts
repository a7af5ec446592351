import { fileURLToPath } from "node:url";
import { configPaths } from "../format/paths.ts";
import type { Clock } from "../lib/clock.ts";
import { once } from "../lib/once.ts";
import type { HookProgram, HookSettings } from "../recovery/plugin/hook-settings.ts";
import type { InstallOutcome, PluginStatus, UninstallOutcome } from "../recovery/plugin/install-hooks.ts";
import type { Places } from "./places.ts";

/** Holdfast's hooks in the settings of the client. */
export interface HookPlugin {
  /** The hooks as settings hold them. Changes nothing. */
  hooks(options?: HookOptions): Promise<HookSettings>;
  /** Whether they are in the client's settings. Throws `settings_invalid`. */
  status(options?: HookOptions): Promise<PluginStatus>;
  /** Installs them atomically, with a backup. Throws `settings_invalid`. */
  install(options?: HookOptions): Promise<InstallOutcome>;
  /** Removes exactly what was installed. Throws `settings_invalid`. */
  uninstall(): Promise<UninstallOutcome>;
}

export interface HookOptions {
  /** Also wake an idle session when a task of it has ended. */
  wake?: boolean | undefined;
}

export function openHookPlugin({ home, configDir, clock }: Places & { clock: Clock }): HookPlugin {
  const place = { home, settings: configPaths(configDir).settingsFile };
  const hooks: HookPlugin["hooks"] = async (options) =>
    (await import("../recovery/plugin/hook-settings.ts")).hookSettings(hookProgram(), {
      scriptsDir: scriptsDir(),
      ...options,
    });
  const load = once(() => import("../recovery/plugin/install-hooks.ts"));
  return {
    hooks,
    status: async (options) => (await load()).pluginStatus(place, await hooks(options)),
    install: async (options) =>
      (await load()).installHooks(place, await hooks(options), { now: clock.now() }),
    uninstall: async () => {
      (await import("../recovery/plugin/env-files.ts")).removeEnvLines(configDir);
      return (await load()).uninstallHooks(place);
    },
  };
}

const isSource = import.meta.url.endsWith(".ts");

/** This very Node and this very installation: found also where neither is on the PATH. */
function hookProgram(): HookProgram {
  const args = isSource ? [find("../../bin/holdfast.js"), "hook"] : [find("./hook.cjs")];
  return { command: process.execPath, args };
}

function scriptsDir(): string {
  return find(isSource ? "../../plugin/hooks" : "../plugin/hooks");
}

function find(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
