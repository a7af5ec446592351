import { holdfastPaths } from "../format/paths.ts";
import { lazily } from "../lib/lazily.ts";
import { namesIn } from "../lib/names-in.ts";
import { livenessOf } from "../lib/process-identity.ts";
import type { LookContext } from "./look-context.ts";
import { movedWork } from "./moved-work.ts";
import { scanOpenOutputs } from "./open-outputs.ts";
import { readManifest, type ManifestItem } from "./read-manifest.ts";
import type { RecoverOptions } from "./recover-options.ts";

export function openLookContext({
  home,
  configDir,
  clock,
}: Pick<RecoverOptions, "home" | "configDir" | "clock">): LookContext {
  const manifests = new Map<string, readonly ManifestItem[]>();
  const living = new Map<string, boolean>();
  return {
    home,
    isClientAlive(client) {
      const name = Object.values(client).join(" ");
      const isAlive = living.get(name) ?? livenessOf(client) !== "dead";
      living.set(name, isAlive);
      return isAlive;
    },
    clientEndings: lazily(() => new Set(namesIn(holdfastPaths(home).clientEndingsDir))),
    openOutputs: lazily(() => scanOpenOutputs()),
    lookMoved: movedWork({ configDir, clock }),
    manifest(key) {
      const items = manifests.get(key) ?? readManifest(home, key);
      manifests.set(key, items);
      return items;
    },
    knownIds: () => new Set([...manifests.values()].flat().map(({ launch }) => launch.agent_id)),
  };
}
