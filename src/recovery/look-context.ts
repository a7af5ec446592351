import type { ProcessIdentity } from "../lib/process-identity.ts";
import type { OpenOutputs } from "./open-outputs.ts";
import type { ManifestItem } from "./read-manifest.ts";
import type { LookMoved } from "./recovered-item.ts";

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
