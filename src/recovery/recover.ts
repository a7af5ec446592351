import { listLaunched } from "./list-launched.ts";
import { readerView } from "./reader-view.ts";
import type { RecoverOptions } from "./recover-options.ts";
import type { Recovery } from "./recovery.ts";
import { sortOut } from "./sort-out.ts";

/** Looks at every launch of the project that the manifest knows, and at every task of Holdfast that runs there. */
export function recover(options: RecoverOptions): Recovery {
  const view = readerView(options);
  return sortOut(listLaunched(options, { view }), { ...options, view });
}
