import { useState } from "preact/hooks";
import { sayError } from "../shell/toasts.tsx";
import { CommandLine } from "./copy.tsx";
import { closeDialog, Dialog, showDialog } from "./dialog.tsx";

export interface Confirmed {
  title: string;
  text?: string;
  /** The command line that does the same. */
  command?: string | undefined;
  action: string;
  isDanger?: boolean;
  /** A line of text that it needs, by its label. */
  input?: { label: string; value?: string; isLong?: boolean; isOptional?: boolean; placeholder?: string };
  run: (input: string) => Promise<unknown>;
}

/** Asks before something is done, says with which command it could be done, and does it. */
export function confirmThen(confirmed: Confirmed): void {
  showDialog(<Confirm {...confirmed} />);
}

function Confirm({ title, text, command, action, isDanger = false, input, run }: Confirmed) {
  const [value, setValue] = useState(input?.value ?? "");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await run(value);
      closeDialog();
    } catch (error) {
      sayError(error);
      setBusy(false);
    }
  };
  const field = input && {
    class: "field",
    value,
    autofocus: true,
    required: input.isOptional !== true,
    placeholder: input.placeholder,
    onInput: (event: Event) => setValue((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <Dialog label={title}>
      <form class="dialog-body" onSubmit={(event) => void submit(event)}>
        <h2>{title}</h2>
        {text && <p class="second any">{text}</p>}
        {input && (
          <label class="labelled">
            {input.label}
            {input.isLong ? <textarea rows={5} {...field} /> : <input {...field} />}
          </label>
        )}
        {command && (
          <div>
            <p class="third">The same on the command line:</p>
            <CommandLine command={command} />
          </div>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" class={`button ${isDanger ? "is-danger" : "is-main"}`} disabled={isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
