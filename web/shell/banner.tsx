import { connection } from "../live/hub.ts";
import { CommandLine } from "../parts/copy.tsx";
import { Empty } from "../parts/states.tsx";
import { formatDuration } from "../../src/lib/quantities.ts";
import { clock } from "./clock.ts";

/** A connection that is away for a moment is nobody's business. */
const SHOWN_AFTER_MS = 1500;

/** Says that what is shown may be old. */
export function Banner() {
  const { state, since } = connection.value;
  const away = clock.value - since;
  if (state === "live" || state === "refused" || away < SHOWN_AFTER_MS) return null;
  return (
    <div class="banner" role="status">
      <span>
        <b>No connection to the server</b> for {formatDuration(away)}. What is shown may be old; nothing is
        lost, and it goes on by itself as soon as the server answers.
      </span>
    </div>
  );
}

/** This browser is not let in. */
export function SignedOut() {
  return (
    <main class="page">
      <Empty title="This browser is not signed in">
        <p>The address with the token is printed by the server. This opens it here:</p>
        <CommandLine command="holdfast open" />
      </Empty>
    </main>
  );
}
