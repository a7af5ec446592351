import type { Answer } from "../api/route-shapes.ts";
import { ask } from "../api/ask.ts";
import { noteRows } from "../live/live-rows.ts";
import { go } from "../routing/place.ts";
import { sessionUrl, taskUrl } from "../routing/routes.ts";
import { say } from "../shell/toasts.tsx";
import { confirmThen } from "./confirm.tsx";
import { CommandLine } from "./copy.tsx";

export type SuggestionData = NonNullable<Answer<"GET /api/doctor">["checks"][number]["next"]>;

/** What can be done about something: a button where the page can do it, which shows its command first, else the command. */
export function Suggestion({ next, onDone }: { next: SuggestionData; onDone: () => void }) {
  const { suggestion, command } = next;
  const [first] = suggestion.args ?? [];
  const verb = "verb" in suggestion ? suggestion.verb : undefined;
  const isWhole = first !== undefined && !first.startsWith("<") && !first.startsWith("@");
  if (isWhole && (verb === "logs" || verb === "output"))
    return (
      <a class="button" href={taskUrl(first)}>
        Open its output
      </a>
    );
  if (isWhole && (verb === "status" || verb === "attach"))
    return (
      <a class="button" href={taskUrl(first)}>
        Open the task
      </a>
    );
  if (isWhole && verb === "show")
    return (
      <a class="button" href={sessionUrl(first)}>
        Open the session
      </a>
    );
  if (isWhole && verb !== undefined && verb in verbs) {
    const { title, action, run } = verbs[verb as keyof typeof verbs];
    const choose = (): void =>
      confirmThen({
        title,
        command,
        action,
        run: async () => {
          await run(first);
          onDone();
        },
      });
    return (
      <button type="button" class="button" onClick={choose}>
        {action} …
      </button>
    );
  }
  return <CommandLine command={command} />;
}

const openNew = ({ task }: Answer<"POST /api/tasks/{id}/restart">): void => {
  noteRows([task]);
  say("Started");
  go(taskUrl(task.id));
};

const verbs = {
  restart: {
    title: "Start it once more?",
    action: "Restart",
    run: async (id: string) => openNew(await ask("POST /api/tasks/{id}/restart", { path: { id }, body: {} })),
  },
  resume: {
    title: "Go on with the agent?",
    action: "Resume",
    run: async (id: string) =>
      openNew(await ask("POST /api/tasks/{id}/continue", { path: { id }, body: {} })),
  },
  rm: {
    title: "Remove it?",
    action: "Remove",
    run: async (id: string) => {
      await ask("POST /api/tasks/{id}/remove", { path: { id }, body: {} });
      say("Removed");
    },
  },
  stop: {
    title: "Stop it?",
    action: "Stop",
    run: async (id: string) => {
      await ask("POST /api/tasks/{id}/stop", { path: { id }, body: {} });
      say("Stopped");
    },
  },
};
