import { holdfastPaths } from "../format/paths.ts";
import { lazily } from "../lib/lazily.ts";
import { namesIn } from "../lib/names-in.ts";
import { livenessOf, type ProcessIdentity } from "../lib/process-identity.ts";
import { movedWork } from "./moved-work.ts";
import { scanOpenOutputs, type OpenOutputs } from "./open-outputs.ts";
import { readManifest, type ManifestItem } from "./read-manifest.ts";
import type { LookMoved } from "./recovered-item.ts";
import type { RecoverOptions } from "./recover-options.ts";

/** What looks at launches share: each thing is looked at once, and remembered. */
export interface LookContext {
  home: string;
  /** Looks at the processes of the machine when it is first asked, then remembers. */
  openOutputs: () => OpenOutputs;
  lookMoved: LookMoved;
  /** Whether a client may live. Many launches have the same one: it is looked for once. */
  isClientAlive: (client: ProcessIdentity) => boolean;
  /** What shells whose client was gone wrote their endings under. */
  clientEndings: () => ReadonlySet<string>;
  /** The launches of a project, read once. */
  manifest: (projectKey: string) => readonly ManifestItem[];
  /** All that the manifests read so far name, history too. */
  knownIds: () => ReadonlySet<string>;
}

export function lookContext({
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
