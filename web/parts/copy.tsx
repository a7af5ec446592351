import { useState } from "preact/hooks";
import { say, sayError } from "../shell/toasts.tsx";
import { Icon } from "./icon.tsx";

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, what = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(what);
  } catch (error) {
    sayError(error);
  }
}

/** A command line as one would type it, with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="command-line">
      <code tabIndex={0} aria-label="Command">
        {command}
      </code>
      <button
        type="button"
        class="button is-quiet is-icon"
        aria-label={`Copy ${command}`}
        title="Copy"
        onClick={() => void copyText(command).then(() => setCopied(true))}
      >
        <Icon name={isCopied ? "check" : "copy"} />
      </button>
    </div>
  );
}
