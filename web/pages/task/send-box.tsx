import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { Icon } from "../../parts/icon.tsx";
import { say, sayError } from "../../shell/toasts.tsx";

/** A message to an agent that runs, or a line of input for a command. */
export function SendBox({ id, isCommand }: { id: string; isCommand: boolean }) {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (text === "" || isBusy) return;
    setBusy(true);
    try {
      await ask("POST /api/tasks/{id}/send", {
        path: { id },
        body: { text: isCommand ? `${text}\n` : text },
      });
      setText("");
      say(isCommand ? "Sent" : "Sent: the agent takes it before its next step");
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };
  const label = isCommand ? "A line of input" : "A message to the agent";
  return (
    <form class="send-box" onSubmit={(event) => void send(event)}>
      <textarea
        class={`field ${isCommand ? "mono" : ""}`}
        rows={1}
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void send(event);
        }}
      />
      <button type="submit" class="button" disabled={isBusy || text === ""}>
        <Icon name="send" /> Send
      </button>
    </form>
  );
}
