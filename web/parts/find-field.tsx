import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../shell/keys.ts";

/** Typing goes on before anything is asked. */
const TYPING_MS = 180;

/** A field that finds as one types; `/` goes into it. */
export function FindField({
  label,
  value,
  onFind,
  isFocused = false,
}: {
  label: string;
  value: string;
  onFind: (words: string) => void;
  isFocused?: boolean;
}) {
  const [words, setWords] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const find = useRef(onFind);
  find.current = onFind;
  useKeys({ "/": () => field.current?.select() });
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, []);
  // Another place brings other words along.
  useEffect(() => setWords(value), [value]);
  useEffect(() => {
    if (words === value) return;
    const timer = setTimeout(() => find.current(words), TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <input
      type="search"
      class="field"
      ref={field}
      aria-label={label}
      placeholder={label}
      value={words}
      onInput={(event) => setWords(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") find.current(words);
        else if (event.key === "Escape") {
          setWords("");
          field.current?.blur();
          event.stopPropagation();
        }
      }}
    />
  );
}
