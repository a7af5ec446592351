import readline from "node:readline";
import type { Readable } from "node:stream";
import { CONTROL_UNDERSCORE, readKey, readTyped, type ChatKey, type Keypress } from "./chat-key.ts";

/** Escape is a key of its own when nothing follows it for this long: what a terminal sends for other keys begins with it, too. */
const ESCAPE_MS = 20;

/** Tells of every key that a terminal in raw mode sends, until the returned function is called. */
export function watchKeys(input: Readable, onKey: (key: ChatKey) => void): () => void {
  let typed = "";
  let pasted: string | undefined;
  const tellTyped = (): void => {
    const text = typed;
    typed = "";
    for (const key of readTyped(text)) onKey(key);
  };
  const onKeypress = (text: string | undefined, key: Keypress): void => {
    if (pasted === undefined && isCharacter(text, key)) {
      // What comes in one piece is read in one turn of the event loop.
      if (typed === "") queueMicrotask(tellTyped);
      typed += text;
      return;
    }
    tellTyped();
    if (key.name === "paste-start") pasted = "";
    else if (key.name === "paste-end") {
      onKey({ kind: "text", text: pasted ?? "" });
      pasted = undefined;
    } else if (pasted !== undefined) pasted += key.sequence ?? "";
    else {
      const pressed = readKey(key);
      if (pressed) onKey(pressed);
    }
  };
  // Node takes the time from an interface of readline, of which nothing else is needed here.
  readline.emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as readline.Interface);
  input.on("keypress", onKeypress);
  return () => void input.off("keypress", onKeypress);
}

function isCharacter(text: string | undefined, { name, ctrl, meta }: Keypress): text is string {
  return text !== undefined && !ctrl && !meta && name !== "backspace" && text !== CONTROL_UNDERSCORE;
}
