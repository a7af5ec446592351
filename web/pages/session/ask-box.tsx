import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { noteRows } from "../../live/live-rows.ts";
import { Icon } from "../../parts/icon.tsx";
import { go } from "../../routing/place.ts";
import { taskUrl } from "../../routing/routes.ts";
import { say, sayError } from "../../shell/toasts.tsx";
import type { Header } from "./row-store.ts";

/** A message to the agent that runs in this session; if none does, a question that is answered in the background. */
export function AskBox({ header: { session, tasks } }: { header: Header }) {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { sessionId: id, project, archived } = session;
  const [running] = tasks;
  if (archived) return null;
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (text.trim() === "" || isBusy) return;
    setBusy(true);
    try {
      if (running) {
        await ask("POST /api/tasks/{id}/send", { path: { id: running }, body: { text } });
        say("Sent: the agent takes it before its next step");
      } else {
        const { task } = await ask("POST /api/sessions/{id}/ask", {
          path: { id },
          query: { project },
          body: { prompt: text },
        });
        noteRows([task]);
        say("Asked in the background", { label: "Open", run: () => go(taskUrl(task.id)) });
      }
      setText("");
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  const label = running ? "A message to the agent that runs" : "Ask something from here, in the background";
  return (
    <form class="send-box" onSubmit={(event) => void send(event)}>
      <textarea
        class="field"
        rows={1}
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void send(event);
        }}
      />
      <button type="submit" class="button" disabled={isBusy || text.trim() === ""}>
        <Icon name="send" /> {running ? "Send" : "Ask"}
      </button>
    </form>
  );
}
