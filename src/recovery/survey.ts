import os from "node:os";
import { findByLooking } from "./found-by-looking.ts";
import { listLaunched } from "./list-launched.ts";
import { openLookContext } from "./open-look-context.ts";
import { sortOut } from "./sort-out.ts";
import type { Recovery } from "./recovery.ts";
import type { RecoverOptions } from "./recover-options.ts";
import { readerView } from "./reader-view.ts";
import { tidyManifests } from "./tidy-manifests.ts";

/** As recover(), and beyond it what no hook told of: found in the client's own files and among the processes. */
export function survey(options: RecoverOptions): Recovery {
  const context = openLookContext(options);
  const view = readerView(options);
  const launched = listLaunched(options, { context, view });
  const found = findByLooking({
    ...options,
    tempDirs: options.tempDirs ?? [os.tmpdir(), "/tmp"],
    openOutputs: context.openOutputs(),
    lookMoved: context.lookMoved,
    known: context.knownIds(),
  });
  try {
    tidyManifests(options.home, { now: options.clock.now() });
  } catch {
    /* A home that cannot be written can still be looked at. */
  }
  return sortOut([...launched, ...found], { ...options, view });
}
