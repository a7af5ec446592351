import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatBytes } from "../../src/lib/quantities.ts";
import { sayError } from "../shell/toasts.tsx";

export interface LongTextData {
  text: string;
  bytes: number;
  url: string | null;
}

/** Beyond this a text opens by itself, in another tab. */
const INLINE_BYTES_MAX = 1024 * 1024;

/** A text of which a page may have only the beginning; the rest comes when it is wanted. */
export function LongText({
  said,
  children,
}: {
  said: LongTextData;
  children: (text: string) => ComponentChildren;
}) {
  const [whole, setWhole] = useState<string>();
  const { text, bytes, url } = said;
  const isCut = url !== null && whole === undefined;
  const load = async (): Promise<void> => {
    try {
      const response = await fetch(url!);
      if (!response.ok) throw new Error(`Cannot read the whole text: the server answered ${response.status}`);
      setWhole(await response.text());
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <>
      {children(whole ?? text)}
      {isCut &&
        (bytes <= INLINE_BYTES_MAX ? (
          <button type="button" class="button is-quiet" onClick={() => void load()}>
            Show all of it ({formatBytes(bytes)})
          </button>
        ) : (
          <a class="button is-quiet" href={url} target="_blank" rel="noopener">
            Open all of it ({formatBytes(bytes)})
          </a>
        ))}
    </>
  );
}
