import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/route-shapes.ts";
import { CommandLine } from "../../parts/copy.tsx";
import { useAsked } from "../../parts/asked.ts";
import { plural } from "../../../src/lib/quantities.ts";
import { sayError } from "../../shell/toasts.tsx";

const commands = ['holdfast run "npm test"', 'holdfast agent "explain the failing test"', "holdfast top"];

/** What a home shows in which nothing was started yet: how to see it live within seconds. */
export function FirstScreen({
  found,
  onStarted,
}: {
  found: Answer<"GET /api/now">["found"];
  onStarted: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const { answer: about } = useAsked("GET /api/about", {});
  const startDemo = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask("POST /api/demo", { body: {} });
      onStarted();
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="first-screen card">
      <h2>Nothing runs yet</h2>
      <p class="second">
        Commands and agents that you start in the background are here: while they run, and when they have
        ended, also after a crash.
      </p>
      <div>
        <button type="button" class="button is-main" disabled={isBusy} onClick={() => void startDemo()}>
          Start the demo tasks
        </button>
      </div>
      <p class="second">Or start something of your own, below or in a terminal:</p>
      <div class="stack">
        {commands.map((command) => (
          <CommandLine key={command} command={command} />
        ))}
      </div>
      <ul class="first-facts second">
        {found.sessions > 0 && (
          <li>
            <a href="/sessions">
              {plural(found.sessions, "session")} in {plural(found.projects, "project")}
            </a>{" "}
            of your agents can be read and searched.
          </li>
        )}
        {about?.plugin === "absent" && (
          <li>
            The plugin is not set up: <a href="/doctor">Doctor</a> says how agents learn of what ended.
          </li>
        )}
      </ul>
    </section>
  );
}
