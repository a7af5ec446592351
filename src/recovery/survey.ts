import { findByLooking } from "./found-by-looking.ts";
import { listLaunched, lookContext, sortOut, type Recovery, type RecoverOptions } from "./recover.ts";
import { tidyManifests } from "./tidy-manifests.ts";

/** As recover(), and beyond it what no hook told of: found in the client's own files and among the processes. */
export function survey(options: RecoverOptions): Recovery {
  const context = lookContext(options.home);
  const launched = listLaunched(options, context);
  const found = findByLooking({
    ...options,
    openOutputs: context.openOutputs(),
    known: new Set(launched.map(({ id }) => id)),
  });
  try {
    tidyManifests(options.home, { now: options.clock.now() });
  } catch {
    /* A home that cannot be written can still be looked at. */
  }
  return sortOut([...launched, ...found], options);
}
